import type { Warning } from '../log/logger.ts';
import type { Provider } from '../providers/index.ts';
import type { AuthConfig } from '../types/config.ts';
import { type OAuthProvider, resolveProvider } from './provider.ts';
import { providerEntries } from './settings.ts';

/** The warning about the providers that {@link uncheckedAuthentication} finds. */
export const AUTHENTICATION_NOT_CHECKED: Warning = {
  code: 'authentication-not-checked',
  words:
    '`acr_values` or `max_age` is set for a provider without ID tokens, so the result is not checked. Use `type: "oidc"`.',
};

/** IdentityServer reads these hints out of `acr_values`. They do not name a class. */
const ACR_HINT = /^(idp|tenant):/;

/** Returns the classes of authentication that the parameter `acr_values` demands. */
export function demandedClasses(acrValues: string | null | undefined): readonly string[] {
  return (acrValues ?? '').split(' ').filter((value) => value !== '' && !ACR_HINT.test(value));
}

/**
 * Returns the ids of providers whose configuration has `acr_values` or `max_age`, although nothing can check them. Only
 * an ID token has `acr` and `auth_time` (OpenID Connect Core §2). The visitor can remove a parameter from the address.
 */
export function uncheckedAuthentication(config: AuthConfig): readonly string[] {
  return providerEntries(config).flatMap((entry) => {
    const provider = oauthProviderOf(entry, config);
    if (!provider || provider.type === 'oidc' || provider.checks.includes('nonce')) return [];
    const { url, params } = provider.authorization;
    const configured = (name: string): string | null | undefined => params[name] ?? url?.searchParams.get(name);
    const isDemanded = demandedClasses(configured('acr_values')).length > 0 || configured('max_age');
    return isDemanded ? [provider.id] : [];
  });
}

function oauthProviderOf(entry: Provider, { redirectProxyUrl }: AuthConfig): OAuthProvider | undefined {
  try {
    const provider = resolveProvider(entry, 'https://site.invalid', redirectProxyUrl);
    return provider.type === 'oauth' || provider.type === 'oidc' ? provider : undefined;
  } catch {
    return undefined; // `checkProviders` reports it.
  }
}

import { AuthError, InvalidEndpoints, MissingAuthorize } from '../errors.ts';
import type { EmailConfig } from '../providers/email.ts';
import type { ProviderConfig } from '../providers/index.ts';
import type { OAuthConfig } from '../providers/oauth.ts';
import { allowInsecureIssuer } from '../symbols.ts';
import type { AuthConfig } from '../types.ts';
import { checkAdapter } from './check-adapter.ts';
import { checkProxy } from './check-proxy.ts';
import { checkRateLimit } from './check-rate-limit.ts';
import { checkWebAuthn } from './check-webauthn.ts';
import { entriesOf } from './entries.ts';
import { envName } from './env-name.ts';
import { mergedProvider } from './merged-provider.ts';
import { ownOrForeign } from './own-or-foreign.ts';
import { isAcceptableUrl } from './remote-url.ts';
import type { Settings } from './settings.ts';

const known = new WeakMap<Settings, readonly AuthError[]>();

/** What is wrong with the providers of settings and with what they need; looked at once. */
export function providerProblems(settings: Settings): readonly AuthError[] {
  const problems = known.get(settings) ?? checkProviders(settings.config);
  known.set(settings, problems);
  return problems;
}

/** What is wrong with the providers of a configuration and with what they need. */
export function checkProviders(config: AuthConfig): AuthError[] {
  const problems: AuthError[] = [];
  const providers: ProviderConfig[] = [];
  for (const entry of entriesOf(config)) {
    try {
      const provider = mergedProvider(entry);
      providers.push(provider);
      problems.push(...checkProvider(provider));
    } catch (error) {
      problems.push(
        error instanceof AuthError
          ? error
          : new AuthError('an entry of `providers` cannot be read. Mend what `cause` tells', { cause: error }),
      );
    }
  }
  problems.push(...checkIds(providers), ...checkWebAuthn(providers, config), ...checkAdapter(providers, config));
  problems.push(...checkRateLimit(config.rateLimit));
  return problems;
}

function checkIds(providers: readonly ProviderConfig[]): AuthError[] {
  const ids = providers.map((provider) => provider.id);
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  return [...repeated].map(
    (id) => new AuthError(`more than one provider has the id "${id}". Give one of them another \`id\` in its options`),
  );
}

const ID = /^[\w.~-]+$/;

function checkProvider(provider: ProviderConfig): AuthError[] {
  if (typeof provider.id !== 'string' || !ID.test(provider.id)) {
    return [
      new AuthError(
        `a provider's \`id\` (${JSON.stringify(provider.id)}) is no part of a path. Use letters, digits, "-" and "_"`,
      ),
    ];
  }
  switch (provider.type) {
    case 'oauth':
    case 'oidc':
      return checkOAuth(provider);
    case 'credentials':
      return typeof provider.authorize === 'function'
        ? []
        : [
            new MissingAuthorize(
              `provider "${provider.id}" has no \`authorize\`. Add the function that checks the credentials`,
            ),
          ];
    case 'email':
      return checkEmail(provider);
    case 'webauthn':
      return [];
    default:
      return [
        new AuthError(
          `provider "${(provider as ProviderConfig).id}" has an unknown \`type\`. Use "oidc", "oauth", "email", "credentials" or "webauthn"`,
        ),
      ];
  }
}

function checkEmail({ id, maxAge, sendVerificationRequest }: EmailConfig): AuthError[] {
  return [
    ...(typeof sendVerificationRequest === 'function'
      ? []
      : [new AuthError(`provider "${id}" has no \`sendVerificationRequest\`. Add the function that mails the link`)]),
    ...(maxAge === undefined || (Number.isFinite(maxAge) && maxAge > 0)
      ? []
      : [new AuthError(`provider "${id}": \`maxAge\` is no number of seconds. Give a number above 0`)]),
  ];
}

function checkOAuth(provider: OAuthConfig<never>): AuthError[] {
  const problems: AuthError[] = checkProxy(`provider "${provider.id}": `, provider.redirectProxyUrl);
  const insecure = ownOrForeign(provider, allowInsecureIssuer) === true;
  const urls = { issuer: provider.issuer, wellKnown: provider.wellKnown, jwks_endpoint: provider.jwks_endpoint };
  const endpoints = {
    authorization: urlOf(provider.authorization),
    token: urlOf(provider.token),
    userinfo: urlOf(provider.userinfo),
  };
  for (const [name, url] of Object.entries({ ...urls, ...endpoints })) {
    if (url && !isAcceptableUrl(url, insecure)) {
      problems.push(
        new InvalidEndpoints(
          `provider "${provider.id}": \`${name}\` is no https address. Use https (http works for localhost, elsewhere only with the option [allowInsecureIssuer])`,
        ),
      );
    }
  }
  if (!provider.issuer && !provider.wellKnown) problems.push(...missingEndpoints(provider, endpoints));
  return problems;
}

function missingEndpoints(provider: OAuthConfig<never>, urls: Record<string, string | undefined>): AuthError[] {
  const has = (key: 'token' | 'userinfo'): boolean => {
    const given = provider[key];
    return Boolean(urls[key] || (typeof given === 'object' && given?.request));
  };
  const missing = [
    !urls.authorization && 'authorization',
    !has('token') && 'token',
    provider.type === 'oauth' && !has('userinfo') && 'userinfo',
  ].filter((name) => typeof name === 'string');
  if (missing.length === 0) return provider.type === 'oidc' ? [uncheckable(provider.id)] : [];
  return [
    new InvalidEndpoints(
      `provider "${provider.id}" has neither an \`issuer\` nor its endpoints (missing: ${missing.join(', ')}). Set the issuer (AUTH_${envName(provider.id)}_ISSUER), or the endpoints`,
    ),
  ];
}

/** Whose ID tokens would they be? None could be accepted (OpenID Connect Core §3.1.3.7 (2)). */
function uncheckable(id: string): InvalidEndpoints {
  return new InvalidEndpoints(
    `provider "${id}" has no \`issuer\`, so its ID tokens cannot be checked. Set the issuer (AUTH_${envName(id)}_ISSUER), or \`type: "oauth"\``,
  );
}

function urlOf(endpoint: unknown): string | undefined {
  if (typeof endpoint === 'string') return endpoint;
  return (endpoint as { url?: string } | undefined)?.url;
}

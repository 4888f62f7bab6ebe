import type { OAuthProvider } from '../config/provider.ts';
import { configuredParams } from '../identity/oauth/authorization-params.ts';

/** Returns the scopes in a token response, by their usual names. */
export function grantedScopes(provider: OAuthProvider, text: string): readonly string[] {
  const { separator, aliases = {} } = provider.scopes ?? {};
  // The stored scopes, as the columns of Auth.js have them, may be separated by spaces.
  const names = (separator === undefined ? text : text.replaceAll(separator, ' ')).split(/\s+/);
  const usual = names.map((name) => (Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name));
  return [...new Set(usual.filter(Boolean))];
}

/** Returns the scopes that the owner has configured. */
export function configuredScopes(provider: OAuthProvider): readonly string[] {
  return (configuredParams(provider).get('scope') ?? '').split(/\s+/).filter(Boolean);
}

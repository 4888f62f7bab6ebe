import { type ErrorCause, type TokensCode, TokensUnavailable } from '../errors.ts';

const words: Readonly<Record<TokensCode, string>> = {
  'signed-out': 'the request has no session. Sign in first',
  'no-account': 'the user has no tokens of this provider. Sign in at the provider with `signIn`',
  'missing-scopes':
    'a required scope was not granted. Ask for it with `signIn(error.provider, { scopes: error.scopes })`',
  'no-refresh-token':
    'the access token has expired, and there is no refresh token. Set `offline: true` for the provider, and sign in again',
  revoked: 'the provider has refused the refresh token. Sign in at the provider again',
  unreadable: 'no secret opens the stored tokens, or they belong to another account or client. Sign in again',
  'several-accounts': 'the user has several accounts at this provider. Name one with the option `account`',
  'provider-refused': 'the provider answered a refresh with an error. The log has it',
  'read-only':
    'the access token has expired, and cookies cannot be set here. Call `get` in a handler or an action, or refresh in the proxy',
  'provider-unavailable': 'the provider does not answer. Try again later',
  'store-unavailable': 'the token vault does not answer. Try again later',
};

/** Facts of a {@link TokensUnavailable}. */
export type RefusalFacts = ErrorCause & { provider: string; scopes?: readonly string[] };

/** Returns the error for a code. */
export function refusal(code: TokensCode, facts: RefusalFacts): TokensUnavailable {
  const prefix = facts.provider ? `provider "${facts.provider}": ` : '';
  return new TokensUnavailable(prefix + words[code], { ...facts, code });
}

/** The provider tokens of users, for jobs and for features without a visitor. */

import { type Env, withEnv } from './config/env.ts';
import { type Settings, settingsFor } from './config/settings.ts';
import { AuthError } from './errors.ts';
import { fetchWithToken } from './tokens/api-fetch.ts';
import { getToken, listTokens, requireOAuth, type TokenCall } from './tokens/get.ts';
import { revoke } from './tokens/revoke.ts';
import { importRow, rewriteEntries } from './tokens/rewrite.ts';
import type { AuthConfig } from './types/config.ts';
import type { TokensOwnerOption, UserTokens } from './types/tokens.ts';

export { type TokensCode, type TokensRemedy, TokensUnavailable } from './errors.ts';
export type {
  GetTokenOptions,
  ImportedAccount,
  ProviderToken,
  Revocation,
  RevokedTokens,
  TokenAccount,
  TokensOptions,
  TokensOwnerOption,
  UserTokens,
} from './types/tokens.ts';

/**
 * Returns functions that use the provider tokens of any user. Call them from jobs, or behind a check of your own: they
 * do not ask who the visitor is.
 *
 * ```ts
 * const tokens = tokensOf(config);
 * const { accessToken } = await tokens.get('google', { userId: user.id });
 * ```
 *
 * `userId` is the user's id in the store. Without an adapter, the functions need `account`, the id at the provider.
 *
 * @param env Environment variables, for the secret and the providers. Default: `process.env`.
 * @throws {AuthError} if the configuration has no `tokens`.
 */
export function tokensOf(config: AuthConfig, env: Env = processEnv()): UserTokens {
  const settings = settingsFor(withEnv(config, env).config);
  if (!settings.tokens) {
    throw new AuthError('`tokensOf` needs the option `tokens`. Set it in the configuration');
  }
  const get: UserTokens['get'] = (provider, options) =>
    getToken(callFor(settings, provider, options), provider, options);
  return {
    get,
    fetch: async (provider, url, init, options) =>
      fetchWithToken(
        (more) => getToken(callFor(settings, provider, options), provider, more),
        requireOAuth(settings, provider).apis ?? [],
        url,
        init,
        options,
      ),
    list: ({ userId }) => listTokens(callFor(settings, '', { userId })),
    revoke: (provider, options) =>
      revoke(callFor(settings, provider ?? '', options), provider, { account: options.account }),
    import: (row) => importRow(settings, row),
    rewrite: () => rewriteEntries(settings),
  };
}

/** @throws {TypeError} if the options do not say whose tokens they are. */
function callFor(settings: Settings, provider: string, { userId, account }: TokensOwnerOption): TokenCall {
  if (settings.hasAdapter) {
    if (typeof userId === 'string' && userId !== '') return { settings, owner: { userId } };
    throw new TypeError('`userId` is missing. Give the id of the user in the store');
  }
  if (typeof account === 'string' && account !== '') {
    return { settings, owner: { userId: '', account: { provider, providerAccountId: account } } };
  }
  throw new TypeError('`account` is missing. Without an adapter, give the id of the account at the provider');
}

declare const process: { readonly env: Env } | undefined;

function processEnv(): Env {
  return typeof process === 'undefined' ? {} : process.env;
}

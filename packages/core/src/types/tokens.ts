import type { TokenVault } from './token-vault.ts';
import type { Awaitable } from './user.ts';

/** How the tokens of providers are kept and refreshed. */
export interface TokensOptions {
  /**
   * Where tokens are kept. `true`: in the adapter's member `tokenVault`. `'cookie'`: in a sealed cookie, which has the
   * tokens of one account and needs JWT sessions. Required; see docs/tokens.md.
   */
  store: true | TokenVault | 'cookie';
  /**
   * The token columns of the table `accounts`. `'keep'`: they are filled as by Auth.js, so that Auth.js can return.
   * `'clear'`: they are set to null after each write. Default: `'keep'`.
   */
  accountColumns?: 'keep' | 'clear' | undefined;
  /** Seconds that a returned token must still be valid, from 0 to 3600. Default: 60. */
  minTtl?: number | undefined;
  /** A sign-out revokes the tokens of the user, which ends the access of all devices and jobs. Default: `false`. */
  revokeOnSignOut?: boolean | undefined;
  /** A key management service, which encrypts the key of each entry. Default: only the secret seals. */
  kms?: TokenKms | undefined;
}

/** Encrypts the data keys of entries. */
export interface TokenKms {
  /** Encrypts a key of 32 bytes. Returns a text of at most 4,096 characters to store. */
  wrap(key: Uint8Array, owner: TokenOwner): Awaitable<string>;
  /** Returns the key that {@link wrap} has encrypted. Must fail for another owner, if the service supports that. */
  unwrap(wrapped: string, owner: TokenOwner): Awaitable<Uint8Array>;
}

/** To whom an entry belongs. */
export interface TokenOwner {
  /** Id of the provider that issued the tokens. */
  readonly provider: string;
  /** Id of the account at the provider. */
  readonly account: string;
  /** Id of the user in the store; `''` without an adapter. */
  readonly userId: string;
}

/** Options of {@link VisitorTokens.get}. */
export interface GetTokenOptions {
  /** Scopes that must have been granted. At most 50, with 2,048 characters in total. Default: any. */
  scopes?: readonly string[] | undefined;
  /** Seconds that the token must still be valid, from 0 to 3600. Default: the option `tokens.minTtl`. */
  minTtl?: number | undefined;
  /** Id of the account at the provider. Required if the user has several. */
  account?: string | undefined;
  /** An access token that the API has answered with 401. It is refreshed, at most once in 30 seconds. */
  rejected?: string | undefined;
}

/** A valid access token. */
export interface ProviderToken {
  /** The access token (RFC 6749 §1.4), for the header `Authorization: Bearer <token>`. A secret. */
  accessToken: string;
  /** By the clock of this server. `null`: the provider does not say it. */
  expiresAt: Date | null;
  /** The granted scopes. */
  scopes: string[];
  /** The last ID token of the account. It may have expired. */
  idToken?: string | undefined;
}

/** An account with tokens, without the tokens. */
export interface TokenAccount {
  /** Id of the provider that issued the tokens. */
  provider: string;
  /** Id of the account at the provider. */
  account: string;
  /** The granted scopes, one per item. */
  scopes: string[];
  /** When the access token expires. `null`: the provider does not say it. */
  expiresAt: Date | null;
  /**
   * `active`: `get` returns a token. `expired`: only a new sign-in does. `refused`: the provider has refused the
   * refresh token. `unreadable`: no secret opens the entry.
   */
  state: 'active' | 'expired' | 'refused' | 'unreadable';
}

/** The result of a revocation. `unsupported`: the provider has no revocation endpoint. */
export type Revocation = 'revoked' | 'unsupported' | 'failed';

/** An account whose tokens were deleted, and the answer of its provider. */
export interface RevokedTokens {
  /** Id of the provider that issued the tokens. */
  provider: string;
  /** Id of the account at the provider. */
  account: string;
  /** Whether the provider has revoked the tokens. They are deleted from the store in any case. */
  result: Revocation;
}

/** The provider tokens of the visitor. */
export interface VisitorTokens {
  /**
   * Returns a valid access token of the visitor, and refreshes it if necessary.
   *
   * ```ts
   * const { accessToken } = await tokens.get('google', { scopes: ['https://www.googleapis.com/auth/calendar'] });
   * ```
   *
   * @throws {TokensUnavailable} with `code` and `remedy`. If `remedy` is `sign-in`, call `signIn(error.provider, {
   *   scopes: error.scopes })`.
   */
  get(provider: string, options?: GetTokenOptions): Promise<ProviderToken>;
  /**
   * Sends a request with the visitor's access token. If the API answers 401, the token is refreshed and the request is
   * repeated once, unless its body is a stream. For GET and HEAD, at most 5 redirects are followed.
   * With other methods, the response is the redirect, also with `redirect: 'follow'`.
   *
   * ```ts
   * const response = await tokens.fetch('google', 'https://www.googleapis.com/calendar/v3/users/me/calendarList');
   * ```
   *
   * @throws {TypeError} if the URL, or the URL of a redirect, does not match the option `apis` of the provider.
   * @throws {TokensUnavailable} as {@link get}.
   */
  fetch(provider: string, url: string | URL, init?: RequestInit, options?: GetTokenOptions): Promise<Response>;
  /** Returns the visitor's accounts that have tokens. */
  list(): Promise<TokenAccount[]>;
  /**
   * Deletes tokens of the visitor, and revokes them at the provider (RFC 7009). They are deleted also if the provider
   * refuses.
   *
   * @param provider Default: all providers.
   * @throws {CookiesNotWritable} with `tokens.store: 'cookie'`, if cookies cannot be set here.
   * @throws {AuthError} `MissingCSRF` if the browser says that another site has caused the request.
   */
  revoke(provider?: string, options?: { account?: string | undefined }): Promise<RevokedTokens[]>;
}

/** Whose tokens a job uses: the user's id in the store, or without an adapter the account at the provider. */
export type TokensOwnerOption =
  | { readonly userId: string; readonly account?: string | undefined }
  | { readonly userId?: undefined; readonly account: string };

/** An account as the adapter has it, for {@link UserTokens.import}. */
export interface ImportedAccount {
  /** Id of the user in the store. */
  readonly userId: string;
  /** Id of the provider. */
  readonly provider: string;
  /** Id of the account at the provider. */
  readonly providerAccountId: string;
  /** The access token. `null` or absent: it is not stored. */
  readonly access_token?: string | null | undefined;
  /** The refresh token. `null` or absent: it is not stored. */
  readonly refresh_token?: string | null | undefined;
  /** The ID token. `null` or absent: it is not stored. */
  readonly id_token?: string | null | undefined;
  /** Seconds since 1970. */
  readonly expires_at?: number | null | undefined;
  /** The granted scopes, separated by spaces (RFC 6749 §3.3). */
  readonly scope?: string | null | undefined;
}

/** The provider tokens of all users. */
export interface UserTokens {
  /** As {@link VisitorTokens.get}, for any user. */
  get(provider: string, options: GetTokenOptions & TokensOwnerOption): Promise<ProviderToken>;
  /** As {@link VisitorTokens.fetch}, for any user. */
  fetch(
    provider: string,
    url: string | URL,
    init: RequestInit | undefined,
    options: GetTokenOptions & TokensOwnerOption,
  ): Promise<Response>;
  /** Returns the accounts of a user that have tokens. */
  list(options: { readonly userId: string }): Promise<TokenAccount[]>;
  /**
   * As {@link VisitorTokens.revoke}, for any user.
   *
   * @param provider `undefined`: all providers. Required without `userId`.
   */
  revoke(provider: string | undefined, options: TokensOwnerOption): Promise<RevokedTokens[]>;
  /**
   * Stores the tokens of a row of the table `accounts`. Never replaces an entry.
   *
   * @returns Whether an entry was written.
   */
  import(row: ImportedAccount): Promise<boolean>;
  /**
   * Writes every entry again under the present configuration. Run it before an old secret is removed, after `kms` or
   * `'clear'` was added, and after a change back to `'keep'`.
   *
   * @returns The number of entries that were written, and of those that could not be opened.
   */
  rewrite(): Promise<{ written: number; unreadable: number }>;
}

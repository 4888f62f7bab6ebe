import type { AdapterUser } from './adapter.ts';
import type { ExportedAccount } from './exported-account.ts';
import type { Awaitable, ProviderType } from './user.ts';

/** A part of the account that {@link AccountOptions.without} can leave out. */
export type AccountFeature = 'email' | 'delete' | 'export' | 'mails';

/**
 * The options of the accounts that users manage by themselves.
 *
 * ```ts
 * account: {
 *   without: ['delete'],
 *   hasPassword: async ({ id }) => (await passwordOf(id)) !== null,
 * }
 * ```
 */
export interface AccountOptions {
  /** The built-in page `<basePath>/account`. The functions work without it. Default: `true`. */
  page?: boolean | undefined;
  /**
   * Parts to leave out: `email` (change of address), `delete` (deletion of the account), `export` (download of the
   * data), `mails` (notices about changes). Default: none.
   */
  without?: readonly AccountFeature[] | undefined;
  /**
   * Returns whether the user has a password, and can so sign in with a credentials provider. The last way to sign in
   * cannot be removed, and a password counts as one. Default: no user has a password.
   */
  hasPassword?: ((user: AdapterUser) => Awaitable<boolean>) | undefined;
  /**
   * Deletes the application's own data of a user, before the user is deleted. An exception stops the deletion. Default:
   * nothing.
   */
  beforeDelete?: ((user: AdapterUser) => Awaitable<void>) | undefined;
  /** Returns the application's part of the export: data that JSON can carry. Default: nothing. */
  exportMore?: ((user: AdapterUser) => Awaitable<Record<string, unknown>>) | undefined;
}

/** A way in which a user can sign in. */
export interface AccountWay {
  /** For `unlink` and others. Not a secret, and the same in each list. */
  id: string;
  /** How it works: an account at a provider (`oauth` or `oidc`), a passkey, mailed links, or a password. */
  kind: ProviderType;
  /** Id of the provider; absent if no configured provider offers the way any longer. */
  provider?: string | undefined;
  /** Tells it apart: the address or name at the provider, the name of the passkey, or the user's address. */
  label?: string | undefined;
  /** When it was added; absent if the store does not know. */
  createdAt?: Date | undefined;
  /** When a passkey was last used; absent if the store does not know. */
  usedAt?: Date | undefined;
  /** The user has no other way to sign in, so it cannot be removed. */
  isOnlyWay: boolean;
}

/** The result of a change of the ways to sign in. */
export interface ChangedWays {
  /** How many ways have changed: 0 for an id that is unknown, or that belongs to another user. */
  count: number;
}

/** Options of `account.link`. */
export interface LinkOptions<Redirect extends boolean = boolean> {
  /** Where the visitor goes afterwards: a path, or an address on this site. Default: the page of the request. */
  redirectTo?: string | undefined;
  /** `false`: return the address of the provider instead of going there. Default: `true`. */
  redirect?: Redirect | undefined;
}

/**
 * The account of the visitor. While a page is rendered, only {@link list} works: the other functions throw
 * `CookiesNotWritable` before anything happens.
 */
export interface VisitorAccount {
  /**
   * Returns the ways in which the visitor can sign in. Empty if the visitor is not signed in.
   *
   * ```ts
   * const ways = await account.list(); // [{ id, kind: 'oidc', provider: 'google', label: 'ada@gmail.com', … }]
   * ```
   *
   * @throws {MissingAdapterMethods} if the adapter has no `listAccountsByUserId`.
   */
  list(): Promise<AccountWay[]>;
  /**
   * Sends the visitor to a provider, to add an account there.
   *
   * ```ts
   * await account.link('github', { redirectTo: '/me' });
   * ```
   *
   * @param provider Id of a provider of type `oauth` or `oidc`.
   * @returns The address of the provider, with `redirect: false`. Otherwise the framework goes there.
   * @throws {RecentSignInRequired} if the sign-in is older than 10 minutes. So do the functions below.
   * @throws {RateLimited} after 10 changes in an hour. So do the functions below.
   * @throws {InvalidProvider} if it is not the id of such a provider.
   */
  link<R extends boolean = true>(provider: string, options?: LinkOptions<R>): Promise<R extends false ? string : never>;
  /**
   * Removes an account or a passkey of the visitor. With `session.records`, the sessions that began at its provider
   * end, except this one.
   *
   * ```ts
   * const { count } = await account.unlink(way.id);
   * ```
   *
   * @param id From {@link list}. An id of another user removes nothing.
   * @throws {LastWayIn} if the visitor has no other way to sign in.
   * @throws {MissingAdapterMethods} if the adapter has no `unlinkAccountIfNotLast`.
   * @throws {TokensUnavailable} with `tokens`, if the token vault fails. The account stays: try again.
   */
  unlink(id: string): Promise<ChangedWays>;
  /**
   * Gives a passkey of the visitor a name, of at most 100 characters.
   *
   * ```ts
   * await account.renamePasskey(way.id, 'Work phone');
   * ```
   *
   * @param id From {@link list}. An id of another user changes nothing.
   * @throws {MissingAdapterMethods} if the adapter has no `updateAuthenticator`.
   */
  renamePasskey(id: string, name: string): Promise<ChangedWays>;
  /**
   * Gives the visitor another name, of at most 100 characters, in the store and in the session.
   *
   * ```ts
   * await account.changeName('Ada Lovelace');
   * ```
   */
  changeName(name: string): Promise<void>;
  /**
   * Mails a link and a code to a new address of the visitor. The address changes when the visitor opens the link, or
   * types the code, in this browser within an hour. The result is the same if another user has the address.
   *
   * ```ts
   * await account.changeEmail('new@example.com');
   * redirect('/auth/account/confirm'); // the built-in page asks for the code
   * ```
   *
   * @returns `sent` is `false` if the visitor has this address already.
   * @throws {EmailSignInError} if the mail cannot be sent.
   * @throws {AuthError} if it is not one plain address; `cause.status` is 400 then.
   * @throws {RateLimited} also for 72 hours after an address was restored.
   */
  changeEmail(email: string): Promise<AskedAddress>;
  /**
   * Changes the address of the visitor, with the code of the mail that {@link changeEmail} has sent. The other sessions
   * of the visitor end. A sign-in need not be recent.
   *
   * ```ts
   * await account.confirmEmail('0123 4567');
   * ```
   *
   * @throws {Verification} if the code is wrong, was used, or has expired, or if another user has the address now.
   */
  confirmEmail(code: string): Promise<void>;
  /**
   * Returns the data of the visitor: the user, the ways to sign in, the sessions, and the result of
   * `account.exportMore`. At most 1 MiB as JSON.
   *
   * ```ts
   * return Response.json(await account.export());
   * ```
   */
  export(): Promise<ExportedAccount>;
  /**
   * Deletes the account of the visitor, who is signed out. Ask the visitor before: it cannot be undone.
   *
   * ```ts
   * await account.delete();
   * ```
   *
   * @throws {MissingAdapterMethods} if the adapter has no `deleteUser`.
   */
  delete(): Promise<void>;
}

/** The result of `account.changeEmail`. */
export interface AskedAddress {
  /** A mail was sent to the new address. */
  sent: boolean;
}

/** The account of the visitor of a request, where the application redirects by itself. */
export interface RequestAccount extends Omit<VisitorAccount, 'link'> {
  /**
   * Returns the address of a provider, to which the application redirects the visitor, to add an account there.
   *
   * ```ts
   * res.redirect(await account.link('github', { redirectTo: '/me' }));
   * ```
   *
   * @param provider Id of a provider of type `oauth` or `oidc`.
   * @throws {RecentSignInRequired} and others, as `link` of {@link VisitorAccount}.
   */
  link(provider: string, options?: Omit<LinkOptions, 'redirect'>): Promise<string>;
}

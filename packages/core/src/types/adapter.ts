import type { SessionRecords } from './session-records.ts';
import type { TokenVault } from './token-vault.ts';
import type { Account, Authenticator, Awaitable, User } from './user.ts';

/** A user, as the store keeps it. */
export interface AdapterUser extends User {
  /** Unique id. Default: a random UUID from the library, unless the store makes its own ids. */
  id: string;
  /** The email address, in its canonical form. */
  email: string;
  /** The instant at which the address was first proven, for example by a mailed link; `null` before it. */
  emailVerified: Date | null;
}

/** Types of providers whose accounts are stored. */
export type AdapterAccountType = 'oauth' | 'oidc' | 'email' | 'webauthn';

/** A connection between a user and a provider, as the store keeps it. */
export interface AdapterAccount extends Account {
  /** Id of the user in the store. */
  userId: string;
  /** Protocol of the provider: `oauth`, `oidc`, `email` or `webauthn`. Accounts of passkeys have `webauthn`. */
  type: AdapterAccountType;
}

/** An account, with the details that our own tables keep. Tables of Auth.js lack them. */
export type StoredAccount = AdapterAccount & AccountDetails;

/** The details of an account. */
export interface AccountDetails {
  /** The instant at which the account was linked. Absent or `null` if the store does not know it. */
  createdAt?: Date | null | undefined;
  /**
   * The address of the account at the provider, else the name, at the time at which it was linked. At most 254
   * characters. Absent or `null` if the store does not know it.
   */
  label?: string | null | undefined;
}

/** The parameters of `unlinkAccountIfNotLast`. */
export interface UnlinkAccountParams {
  /** Id of the user to whom the account is linked. */
  readonly userId: AdapterAccount['userId'];
  /** The account to remove, by the provider's id and the user's id at the provider. */
  readonly account: Pick<AdapterAccount, 'provider' | 'providerAccountId'>;
  /** Ids of the configured providers. Accounts of other providers do not count. */
  readonly providers: readonly string[];
  /** Number of ways in that are not accounts of {@link providers}: a mailed link, a password. */
  readonly otherWays: number;
}

/**
 * The result of `unlinkAccountIfNotLast`. `last`: no way in would be left, so nothing was deleted. `missing`: the user
 * has no such account.
 */
export type UnlinkAccountResult = 'unlinked' | 'last' | 'missing';

/** The members of a passkey that can change. Absent members keep their values. */
export type AuthenticatorChanges = Partial<Pick<AdapterAuthenticator, 'name' | 'usedAt' | 'counter'>>;

/** The parameters of `updateUserEmail`. Addresses are in their canonical form. */
export interface UpdateUserEmailParams {
  /** Id of the user. */
  readonly userId: AdapterUser['id'];
  /** The address that the user must still have; `null` if the user has no address. */
  readonly from: string | null;
  /** The new address. */
  readonly to: string;
  /** The instant at which the new address was proven; `null` if it was not. */
  readonly emailVerified: Date | null;
}

/**
 * The result of `updateUserEmail`. `taken`: another user has the new address. `stale`: the user does not exist, or does
 * not have the old address any more. In both cases nothing was written.
 */
export type UpdateUserEmailResult = 'changed' | 'taken' | 'stale';

/** A session, as the store keeps it. */
export interface AdapterSession {
  /** Random value that the session cookie holds. */
  sessionToken: string;
  /** Id of the user in the store. */
  userId: string;
  /** The instant at which the session expires. */
  expires: Date;
}

/** A one-time token that was mailed to a visitor, as the store keeps it. */
export interface VerificationToken {
  /** The address to which the token was mailed, in its canonical form. */
  identifier: string;
  /** The instant at which the token expires. */
  expires: Date;
  /** SHA-256 of the mailed token and a secret, in hexadecimal. */
  token: string;
}

/** A passkey, as the store keeps it. */
export interface AdapterAuthenticator extends Authenticator {
  /** Id of the user in the store. */
  userId: string;
  /** The name that its owner has given to the passkey. At most 100 characters. */
  name?: string | null | undefined;
  /** The instant at which the passkey was stored. Absent or `null` if the store does not know it. */
  createdAt?: Date | null | undefined;
  /** The instant of the last sign-in with the passkey. Absent or `null` if the store does not know it. */
  usedAt?: Date | null | undefined;
}

/**
 * Keeps users, accounts, sessions, mailed tokens and passkeys.
 *
 * All methods are optional. The library checks those that a configuration needs before it first uses them. A method
 * returns `null` if it finds nothing. It throws for every other failure.
 *
 * The methods from `updateAccount` on are not part of Auth.js v5. They are used if they are present, and never
 * required.
 *
 * ```ts
 * const users = new Map<string, AdapterUser>();
 * const adapter: Adapter = {
 *   getUser: (id) => users.get(id) ?? null,
 *   createUser: (user) => {
 *     users.set(user.id, user);
 *     return user;
 *   },
 *   // …
 * };
 * ```
 */
export interface Adapter {
  /** Stores a new user. Returns the user as stored: a store that makes its own ids returns another `id`. */
  createUser?(user: AdapterUser): Awaitable<AdapterUser>;
  /** Returns the user with an id. */
  getUser?(id: string): Awaitable<AdapterUser | null>;
  /** Returns the user with an address. `email` is in its canonical form. */
  getUserByEmail?(email: string): Awaitable<AdapterUser | null>;
  /**
   * Returns the user to whom an account is linked. If the account is unknown and Auth.js v5 may have stored it by a
   * number, a second call has that number as `providerAccountId`. It may throw there.
   */
  getUserByAccount?(
    providerAccountId: Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
  ): Awaitable<AdapterUser | null>;
  /** Changes the members that are present. Returns the whole user. */
  updateUser?(user: Partial<AdapterUser> & Pick<AdapterUser, 'id'>): Awaitable<AdapterUser>;
  /** Deletes a user with all accounts, sessions and authenticators. */
  deleteUser?(userId: string): Promise<void> | Awaitable<AdapterUser | null | undefined>;
  /** Stores an account. Throws if the account exists already, for this user or another. */
  linkAccount?(account: AdapterAccount): Promise<void> | Awaitable<AdapterAccount | null | undefined>;
  /** Deletes an account. */
  unlinkAccount?(
    providerAccountId: Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
  ): Promise<void> | Awaitable<AdapterAccount | undefined>;
  /** Returns an account. */
  getAccount?(
    providerAccountId: AdapterAccount['providerAccountId'],
    provider: AdapterAccount['provider'],
  ): Awaitable<AdapterAccount | null>;
  /** Stores a new session. Returns the session as stored. */
  createSession?(session: { sessionToken: string; userId: string; expires: Date }): Awaitable<AdapterSession>;
  /** Returns a session and its user, even if the session has expired: the library checks and deletes it. */
  getSessionAndUser?(sessionToken: string): Awaitable<{ session: AdapterSession; user: AdapterUser } | null>;
  /** Changes the members that are present. Returns `null` if the session does not exist. */
  updateSession?(
    session: Partial<AdapterSession> & Pick<AdapterSession, 'sessionToken'>,
  ): Awaitable<AdapterSession | null | undefined>;
  /** Deletes a session. Returns the deleted session; `null` if the session does not exist. */
  deleteSession?(sessionToken: string): Promise<void> | Awaitable<AdapterSession | null | undefined>;
  /** Stores a mailed token. */
  createVerificationToken?(verificationToken: VerificationToken): Awaitable<VerificationToken | null | undefined>;
  /**
   * Deletes a mailed token and returns it, even if it has expired. The method must be atomic: only one of two
   * simultaneous calls gets the token. If the mailed link does not contain the address, `identifier` is `undefined`;
   * then `token` alone identifies the row.
   */
  useVerificationToken?(params: { identifier: string; token: string }): Awaitable<VerificationToken | null>;
  /** Stores a new passkey. */
  createAuthenticator?(authenticator: AdapterAuthenticator): Awaitable<AdapterAuthenticator>;
  /** Returns a passkey. */
  getAuthenticator?(credentialID: AdapterAuthenticator['credentialID']): Awaitable<AdapterAuthenticator | null>;
  /** Returns the passkeys of a user; an empty list if the user has no passkeys. */
  listAuthenticatorsByUserId?(userId: AdapterAuthenticator['userId']): Awaitable<AdapterAuthenticator[]>;
  /** Stores the signature counter of a passkey. */
  updateAuthenticatorCounter?(
    credentialID: AdapterAuthenticator['credentialID'],
    newCounter: AdapterAuthenticator['counter'],
  ): Awaitable<AdapterAuthenticator>;

  /** Stores the new tokens of an account at a later sign-in. Members that are absent from `account` do not change. */
  updateAccount?(account: AdapterAccount): Awaitable<AdapterAccount | null | undefined | void>;
  /** Stores a user and an account in one transaction. The account gets the id of the stored user. */
  createUserWithAccount?(user: AdapterUser, account: Omit<AdapterAccount, 'userId'>): Awaitable<AdapterUser>;
  /** Deletes the session with the token `old`, if given, and stores `session`, in one transaction. */
  replaceSession?(old: string | undefined, session: AdapterSession): Awaitable<AdapterSession>;
  /** Changes `expires` to `to` if it is still `from` (compare and set). Returns whether it has changed. */
  extendSession?(params: { sessionToken: string; from: Date; to: Date }): Awaitable<boolean>;
  /** Stores `key` until `expires`. Returns `false` if the key is stored already. Atomic. */
  spendOnce?(key: string, expires: Date): Awaitable<boolean>;
  /** Deletes all mailed tokens of an address. `identifier` is in its canonical form. */
  deleteVerificationTokens?(params: Pick<VerificationToken, 'identifier'>): Awaitable<void>;
  /**
   * Deletes all sessions of a user but one.
   *
   * @param exceptToken Token of the session that stays. Default: all are deleted.
   */
  deleteSessionsByUserId?(userId: string, exceptToken?: string): Awaitable<void>;
  /** Deletes a passkey. Does nothing if the passkey does not exist. */
  deleteAuthenticator?(credentialID: AdapterAuthenticator['credentialID']): Awaitable<void>;
  /**
   * Changes the members of a passkey that are present. Returns `null` if the passkey does not exist. Core gives
   * `createdAt` and `usedAt` only to an adapter with this method.
   */
  updateAuthenticator?(
    credentialID: AdapterAuthenticator['credentialID'],
    changes: AuthenticatorChanges,
  ): Awaitable<AdapterAuthenticator | null>;
  /**
   * Returns the accounts of a user; an empty list if the user has no accounts. Core gives `createdAt` and `label` only
   * to an adapter with this method.
   */
  listAccountsByUserId?(userId: AdapterAccount['userId']): Awaitable<StoredAccount[]>;
  /**
   * Deletes an account of a user, and the passkey of an account of the type `webauthn`. It does nothing unless another
   * way in is left: an account of one of `providers`, or one of `otherWays`. Atomic: of simultaneous calls for one
   * user, each counts what the ones before it have left.
   */
  unlinkAccountIfNotLast?(params: UnlinkAccountParams): Awaitable<UnlinkAccountResult>;
  /**
   * Changes the address of a user if it is still `from` (compare and set), and sets `emailVerified`. Atomic: of
   * simultaneous calls with one new address, only one changes a user.
   */
  updateUserEmail?(params: UpdateUserEmailParams): Awaitable<UpdateUserEmailResult>;
  /** Deletes expired rows, in batches of bounded size. Returns the number of deleted rows. */
  cleanup?(): Awaitable<number>;
  /**
   * Checks that the store can finish a sign-in, for example that all tables exist. Called before each sign-in starts,
   * so it should remember success. Throws an error with the `code` `ERR_MISSING_TABLE`, which names the problem and its
   * remedy. Other errors do not refuse the sign-in: the store may be available when the visitor returns.
   */
  ready?(use: StoreUse): Awaitable<void>;
  /** Keeps the records of sessions if `session.records` has no store of its own. */
  readonly sessionRecords?: SessionRecords | undefined;
  /** Keeps provider tokens if `tokens.store` is `true`. */
  readonly tokenVault?: TokenVault | undefined;
  /** Lists and applies the migrations of the store. The command `latchkey migrate` uses it. */
  readonly migrations?: AdapterMigrations | undefined;
}

/** The migrations of a store. They only add: tables, columns and indexes. */
export interface AdapterMigrations {
  /**
   * Returns what the store lacks. It only reads.
   *
   * ```ts
   * const { steps } = await adapter.migrations.plan();
   * const missing = steps.filter(({ automatic }) => !automatic).map(({ adds }) => adds);
   * ```
   *
   * @param use Rows that not all applications store. Default: none of them.
   * @throws {Error} if the store does not answer.
   */
  plan(use?: MigrationUse): Awaitable<MigrationPlan>;
  /**
   * Adds what the store lacks. Several processes may call it at the same time.
   *
   * @param use Rows that not all applications store. Default: none of them.
   * @returns The additions in words, such as `table auth_users`, and the unique indexes that were left out.
   * @throws {Error} if the store does not answer, or if it refuses a statement.
   */
  apply(
    use?: MigrationUse,
  ): Awaitable<{ readonly added: readonly string[]; readonly duplicates: readonly DuplicateKeys[] }>;
}

/** The rows that a migration includes only on request. */
export interface MigrationUse {
  /** The entries of the adapter's token vault, which `tokens.store: true` uses. Default: `false`. */
  readonly tokens?: boolean | undefined;
}

/** The additions that a store needs. */
export interface MigrationPlan {
  /** The database that was compared with the schema. */
  readonly database: MigratedDatabase;
  /** The additions, in the order in which they are made. Empty if the store is complete. */
  readonly steps: readonly MigrationStep[];
  /** Unique indexes that cannot be added, because several rows have the same key. */
  readonly duplicates: readonly DuplicateKeys[];
}

/** The database of a {@link MigrationPlan}, as the connection describes it. */
export interface MigratedDatabase {
  /** Name for messages: `PostgreSQL`, `SQLite`, `MySQL`. */
  readonly engine: string;
  /** Host name or address of the server; `null` for a local file or socket. */
  readonly host: string | null;
  /** Name of the database, or path of its file; `null` if the database has no name. */
  readonly name: string | null;
  /** The time of the server's clock; `null` for a local file. */
  readonly time: Date | null;
}

/** One addition to a store. */
export interface MigrationStep {
  /** The kind of object that the step adds. */
  readonly kind: 'table' | 'column' | 'unique index' | 'index';
  /** Name of the table. */
  readonly table: string;
  /** The rows of that table, such as `users`, `authenticators` or `tokens`. Not all applications use all of them. */
  readonly rows: string;
  /** The addition in words: `table auth_users`, `unique index on auth_users (email)`. */
  readonly adds: string;
  /** The statement that makes the addition. */
  readonly sql: string;
  /** Whether the adapter makes the addition by itself, before its first statement. */
  readonly automatic: boolean;
}

/** Keys that must be unique, and that several rows have. */
export interface DuplicateKeys {
  /** Name of the table as it is in the database. */
  readonly table: string;
  /** Names of the columns that must be unique together. */
  readonly columns: readonly string[];
  /** Number of keys that more than one row has. */
  readonly groups: number;
}

/** Name of a method of an adapter. */
export type AdapterMethod = Exclude<keyof Adapter, 'sessionRecords' | 'tokenVault' | 'migrations'>;

/** The methods about sessions, of an adapter that has all of them. */
export type AdapterSessionMethods = Required<
  Pick<
    Adapter,
    | 'createSession'
    | 'getSessionAndUser'
    | 'updateSession'
    | 'deleteSession'
    | 'replaceSession'
    | 'extendSession'
    | 'deleteSessionsByUserId'
  >
>;

/** The kinds of rows that an application stores, beside users, accounts and one-time tokens. */
export interface StoreUse {
  readonly sessions: boolean;
  readonly passkeys: boolean;
}

/** The members of a user in every adapter. Applications add members to {@link AdapterUser}, not to this type. */
interface KnownUser {
  id: string;
  name?: string | null | undefined;
  email: string;
  emailVerified: Date | null;
  image?: string | null | undefined;
}

/** The members of a session in every adapter. */
interface KnownSession {
  sessionToken: string;
  userId: string;
  expires: Date;
}

/**
 * The type of the option `adapter`. It also accepts adapters for Auth.js v5, whose types do not have the members that
 * an application has added to {@link AdapterUser} and {@link AdapterSession}.
 */
export interface AdapterLike extends Omit<Adapter, UserMethod | SessionMethod> {
  /** See {@link Adapter.createUser}. */
  createUser?(user: AdapterUser): Awaitable<KnownUser>;
  /** See {@link Adapter.getUser}. */
  getUser?(id: string): Awaitable<KnownUser | null>;
  /** See {@link Adapter.getUserByEmail}. */
  getUserByEmail?(email: string): Awaitable<KnownUser | null>;
  /** See {@link Adapter.getUserByAccount}. */
  getUserByAccount?(
    providerAccountId: Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
  ): Awaitable<KnownUser | null>;
  /** See {@link Adapter.updateUser}. */
  updateUser?(user: Partial<AdapterUser> & Pick<AdapterUser, 'id'>): Awaitable<KnownUser>;
  /** See {@link Adapter.deleteUser}. The deleted user may be returned; the value is ignored. */
  deleteUser?(userId: string): Promise<void> | Awaitable<KnownUser | null | undefined>;
  /** See {@link Adapter.createUserWithAccount}. */
  createUserWithAccount?(user: AdapterUser, account: Omit<AdapterAccount, 'userId'>): Awaitable<KnownUser>;
  /** See {@link Adapter.createSession}. */
  createSession?(session: KnownSession): Awaitable<KnownSession>;
  /** See {@link Adapter.getSessionAndUser}. */
  getSessionAndUser?(sessionToken: string): Awaitable<{ session: KnownSession; user: KnownUser } | null>;
  /** See {@link Adapter.updateSession}. */
  updateSession?(
    session: Partial<AdapterSession> & Pick<AdapterSession, 'sessionToken'>,
  ): Awaitable<KnownSession | null | undefined>;
  /** See {@link Adapter.deleteSession}. The deleted session may be returned; the value is ignored. */
  deleteSession?(sessionToken: string): Promise<void> | Awaitable<KnownSession | null | undefined>;
}
type UserMethod =
  | 'createUser'
  | 'getUser'
  | 'getUserByEmail'
  | 'getUserByAccount'
  | 'updateUser'
  | 'deleteUser'
  | 'createUserWithAccount';
type SessionMethod = 'createSession' | 'getSessionAndUser' | 'updateSession' | 'deleteSession';

const ISO_DATE_TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})/;

/**
 * Returns whether a stored value is a string with an ISO 8601 date and time. For stores that have no type for dates.
 *
 * ```ts
 * const value = isDate(stored) ? new Date(stored) : stored;
 * ```
 */
export function isDate(value: unknown): value is string {
  return typeof value === 'string' && ISO_DATE_TIME.test(value) && !Number.isNaN(Date.parse(value));
}

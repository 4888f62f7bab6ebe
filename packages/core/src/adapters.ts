import type { Account, Authenticator, Awaitable, User } from './types.ts';

/** A user as the store keeps it. */
export interface AdapterUser extends User {
  /** Unique identifier, made by the library (UUID) unless the store makes its own. */
  id: string;
  /** The address in its canonical form. */
  email: string;
  /** `null` until the user has signed in through a mailed link; then the instant of the first such sign-in. */
  emailVerified: Date | null;
}

/** Provider types that an account in the store can have. */
export type AdapterAccountType = 'oauth' | 'oidc' | 'email' | 'webauthn';

/** A connection between a user and a provider, as the store keeps it. */
export interface AdapterAccount extends Account {
  userId: string;
  type: AdapterAccountType;
}

/** A database session. */
export interface AdapterSession {
  /** Random value kept in the session cookie. */
  sessionToken: string;
  /** Owner. */
  userId: string;
  /** The instant from which the session no longer counts. */
  expires: Date;
}

/** A one-time token that was mailed to a visitor. */
export interface VerificationToken {
  /** The address the token was mailed to. */
  identifier: string;
  /** The instant from which the token no longer counts. */
  expires: Date;
  /** Hash of the mailed token, hex. */
  token: string;
}

/** A WebAuthn authenticator, as the store keeps it. */
export interface AdapterAuthenticator extends Authenticator {
  userId: string;
}

/**
 * The data layer. All methods are optional; those that a configuration needs are checked at first use. `null` where a
 * method may return it means "not found"; every other failure is an exception.
 *
 * The second group is not part of the Auth.js v5 contract: it is used when present and never required.
 */
export interface Adapter {
  /** Stores a new user and returns it as stored; a store that makes its own ids returns another `id`. */
  createUser?(user: AdapterUser): Awaitable<AdapterUser>;
  getUser?(id: string): Awaitable<AdapterUser | null>;
  /** `email` is in its canonical form. */
  getUserByEmail?(email: string): Awaitable<AdapterUser | null>;
  /** The user that an account is linked to. */
  getUserByAccount?(
    providerAccountId: Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
  ): Awaitable<AdapterUser | null>;
  /** Changes the members that are there and returns the whole user. */
  updateUser?(user: Partial<AdapterUser> & Pick<AdapterUser, 'id'>): Awaitable<AdapterUser>;
  /** Deletes a user with all accounts, sessions and authenticators. */
  deleteUser?(userId: string): Promise<void> | Awaitable<AdapterUser | null | undefined>;
  /** Stores an account. One that exists already, whoever has it, is an exception. */
  linkAccount?(account: AdapterAccount): Promise<void> | Awaitable<AdapterAccount | null | undefined>;
  unlinkAccount?(
    providerAccountId: Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
  ): Promise<void> | Awaitable<AdapterAccount | undefined>;
  getAccount?(
    providerAccountId: AdapterAccount['providerAccountId'],
    provider: AdapterAccount['provider'],
  ): Awaitable<AdapterAccount | null>;
  /** Database sessions; returns the session as stored. */
  createSession?(session: { sessionToken: string; userId: string; expires: Date }): Awaitable<AdapterSession>;
  /** Expired sessions are returned like others: the library judges and deletes them. */
  getSessionAndUser?(sessionToken: string): Awaitable<{ session: AdapterSession; user: AdapterUser } | null>;
  /** Changes the members that are there; `null` when there is no such session (any more). */
  updateSession?(
    session: Partial<AdapterSession> & Pick<AdapterSession, 'sessionToken'>,
  ): Awaitable<AdapterSession | null | undefined>;
  /** Deletes a session and returns what it was; deleting what is not there is no failure. */
  deleteSession?(sessionToken: string): Promise<void> | Awaitable<AdapterSession | null | undefined>;
  createVerificationToken?(verificationToken: VerificationToken): Awaitable<VerificationToken | null | undefined>;
  /**
   * Takes a token out, atomically: of two simultaneous calls one gets it. Expired ones are returned like others. Where the
   * application's mail leaves the address out of the link, `identifier` is `undefined`: found is then what has the token, or nothing.
   */
  useVerificationToken?(params: { identifier: string; token: string }): Awaitable<VerificationToken | null>;
  createAuthenticator?(authenticator: AdapterAuthenticator): Awaitable<AdapterAuthenticator>;
  getAuthenticator?(credentialID: AdapterAuthenticator['credentialID']): Awaitable<AdapterAuthenticator | null>;
  /** An empty list when there are none. */
  listAuthenticatorsByUserId?(userId: AdapterAuthenticator['userId']): Awaitable<AdapterAuthenticator[]>;
  /** Stores how often an authenticator has been used. */
  updateAuthenticatorCounter?(
    credentialID: AdapterAuthenticator['credentialID'],
    newCounter: AdapterAuthenticator['counter'],
  ): Awaitable<AdapterAuthenticator>;

  /** Stores the fresh tokens of a returning account; members absent from `account` are left as they are. */
  updateAccount?(account: AdapterAccount): Awaitable<AdapterAccount | null | undefined | void>;
  /** `createUser` and `linkAccount` in one transaction; `account.userId` is the created user's id. */
  createUserWithAccount?(user: AdapterUser, account: Omit<AdapterAccount, 'userId'>): Awaitable<AdapterUser>;
  /** Deletes the session `old` (when given) and creates `session`, in one transaction. */
  replaceSession?(old: string | undefined, session: AdapterSession): Awaitable<AdapterSession>;
  /** Moves `expires` from `from` to `to`, unless it is no longer `from` (compare-and-set); tells whether it moved. */
  extendSession?(params: { sessionToken: string; from: Date; to: Date }): Awaitable<boolean>;
  /** Remembers `key` until `expires`; `false` when it was there already. Atomic. */
  spendOnce?(key: string, expires: Date): Awaitable<boolean>;
  /** Deletes what has expired, in bounded batches; resolves to the number of rows deleted. */
  cleanup?(): Awaitable<number>;
}

/** What every adapter knows of a user. Applications add members to {@link AdapterUser}, not to this. */
interface KnownUser {
  id: string;
  name?: string | null | undefined;
  email: string;
  emailVerified: Date | null;
  image?: string | null | undefined;
}

/** What every adapter knows of a session. */
interface KnownSession {
  sessionToken: string;
  userId: string;
  expires: Date;
}

/**
 * An adapter as a configuration takes it. One that was typed elsewhere, as those of Auth.js are, knows nothing of the
 * members that an application has added to our {@link AdapterUser} and {@link AdapterSession}: they come from its tables.
 */
export interface AdapterLike extends Omit<Adapter, UserMethod | SessionMethod> {
  createUser?(user: AdapterUser): Awaitable<KnownUser>;
  getUser?(id: string): Awaitable<KnownUser | null>;
  getUserByEmail?(email: string): Awaitable<KnownUser | null>;
  getUserByAccount?(
    providerAccountId: Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
  ): Awaitable<KnownUser | null>;
  updateUser?(user: Partial<AdapterUser> & Pick<AdapterUser, 'id'>): Awaitable<KnownUser>;
  deleteUser?(userId: string): Promise<void> | Awaitable<KnownUser | null | undefined>;
  createUserWithAccount?(user: AdapterUser, account: Omit<AdapterAccount, 'userId'>): Awaitable<KnownUser>;
  createSession?(session: KnownSession): Awaitable<KnownSession>;
  getSessionAndUser?(sessionToken: string): Awaitable<{ session: KnownSession; user: KnownUser } | null>;
  updateSession?(
    session: Partial<AdapterSession> & Pick<AdapterSession, 'sessionToken'>,
  ): Awaitable<KnownSession | null | undefined>;
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

/** Tells whether a stored value is a string that holds an ISO 8601 date-time; for stores that have no date type. */
export function isDate(value: unknown): value is string {
  return typeof value === 'string' && ISO_DATE_TIME.test(value) && !Number.isNaN(Date.parse(value));
}

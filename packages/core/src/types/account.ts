import type { AdapterUser } from './adapter.ts';
import type { Awaitable, ProviderType } from './user.ts';

/** A part of the account that {@link AccountOptions.without} can leave out. */
export type AccountFeature = 'email' | 'delete' | 'export' | 'mails';

/**
 * What users can do with their own account.
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
  /** What tells it apart: the address or name at the provider, the name of the passkey, or the user's address. */
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

/** The data of an account, as its user gets them. Instants are in ISO 8601; `null` stands for values that are unknown. */
export interface ExportedAccount {
  user: { id: string; name: string | null; email: string; emailVerified: string | null; image: string | null };
  /** Accounts at providers. Empty if the adapter cannot list them. */
  accounts: {
    provider: string;
    providerAccountId: string;
    type: string;
    label: string | null;
    createdAt: string | null;
  }[];
  passkeys: { provider: string; name: string | null; createdAt: string | null; usedAt: string | null }[];
  /** Empty without `session.records`. */
  sessions: {
    label: string | null;
    network: string | null;
    provider: string | null;
    startedAt: string;
    seenAt: string;
  }[];
  /** What `account.exportMore` has returned. Default: absent. */
  more?: Record<string, unknown>;
}

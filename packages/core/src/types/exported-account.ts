/** The data of an account, as its user gets them. Instants are in ISO 8601; `null` stands for an unknown value. */
export interface ExportedAccount {
  /** The user. `id` is the id in the store; `emailVerified` is the instant at which the address was confirmed. */
  user: { id: string; name: string | null; email: string; emailVerified: string | null; image: string | null };
  /** Accounts at providers. Empty if the adapter cannot list them. */
  accounts: {
    provider: string;
    providerAccountId: string;
    type: string;
    label: string | null;
    createdAt: string | null;
  }[];
  /** The user's passkeys, without keys and counters. Empty if the adapter does not store passkeys. */
  passkeys: { provider: string; name: string | null; createdAt: string | null; usedAt: string | null }[];
  /** Empty without `session.records`. */
  sessions: {
    label: string | null;
    network: string | null;
    provider: string | null;
    startedAt: string;
    seenAt: string;
  }[];
  /** The result of `account.exportMore`. Default: absent. */
  more?: Record<string, unknown>;
}

/** The data of an account, as its user gets them. Instants are in ISO 8601; `null` stands for an unknown value. */
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
  /** The result of `account.exportMore`. Default: absent. */
  more?: Record<string, unknown>;
}

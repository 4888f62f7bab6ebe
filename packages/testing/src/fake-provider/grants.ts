import type { FakeUser } from './options.ts';

/** The authorization that a visitor has given. Codes, access tokens and refresh tokens refer to it. */
export interface Grant {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly user: FakeUser;
  readonly scope: string;
  readonly nonce: string | undefined;
  readonly challenge: { readonly value: string; readonly method: string } | undefined;
  /** When the visitor signed in, in Unix seconds. */
  readonly authTime: number;
}

/** The result of looking up a code or token. */
type Lookup = { readonly found: Grant } | { readonly found: null; readonly reason: 'unknown' | 'spent' | 'expired' };

interface Entry {
  readonly grant: Grant;
  readonly expires: Date;
  spent: boolean;
}

/** Issued values and their grants: one store each for codes, access tokens and refresh tokens. */
export class GrantStore {
  readonly #entries = new Map<string, Entry>();

  /** Issues a new value for a grant. */
  issue(prefix: string, grant: Grant, expires: Date): string {
    const value = `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`;
    this.#entries.set(value, { grant, expires, spent: false });
    return value;
  }

  /** Looks up a value. With `spend` the value is not valid any more. */
  find(value: string, now: Date, { spend = false }: { spend?: boolean } = {}): Lookup {
    const entry = this.#entries.get(value);
    if (!entry) return { found: null, reason: 'unknown' };
    if (entry.spent) return { found: null, reason: 'spent' };
    if (spend) entry.spent = true;
    return entry.expires > now ? { found: entry.grant } : { found: null, reason: 'expired' };
  }

  /** Revokes each value of a grant. */
  revoke(grant: Grant): void {
    for (const entry of this.#entries.values()) if (entry.grant === grant) entry.spent = true;
  }

  /** Returns the grant of a value, even if the value is spent or expired. */
  grantOf(value: string): Grant | undefined {
    return this.#entries.get(value)?.grant;
  }
}

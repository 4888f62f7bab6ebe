import type { FakeUser } from './options.ts';

/** What a visitor has agreed to; a code, an access token or a refresh token leads to it. */
export interface Grant {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly user: FakeUser;
  readonly scope: string;
  readonly nonce: string | undefined;
  readonly challenge: { readonly value: string; readonly method: string } | undefined;
  /** Unix time in seconds at which the visitor signed in. */
  readonly authTime: number;
}

/** What became of a code or token that someone shows. */
export type Lookup =
  | { readonly found: Grant }
  | { readonly found: null; readonly reason: 'unknown' | 'spent' | 'expired' };

interface Entry {
  readonly grant: Grant;
  readonly expires: Date;
  spent: boolean;
}

/** Values handed out and what they stand for: one store each for codes, access tokens and refresh tokens. */
export class GrantStore {
  readonly #entries = new Map<string, Entry>();

  /** Makes a new value for a grant. */
  issue(prefix: string, grant: Grant, expires: Date): string {
    const value = `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`;
    this.#entries.set(value, { grant, expires, spent: false });
    return value;
  }

  /** Looks a value up; with `spend` it is good only this once. */
  find(value: string, now: Date, { spend = false }: { spend?: boolean } = {}): Lookup {
    const entry = this.#entries.get(value);
    if (!entry) return { found: null, reason: 'unknown' };
    if (entry.spent) return { found: null, reason: 'spent' };
    if (spend) entry.spent = true;
    return entry.expires > now ? { found: entry.grant } : { found: null, reason: 'expired' };
  }

  /** Makes every value of a grant worthless. */
  revoke(grant: Grant): void {
    for (const entry of this.#entries.values()) if (entry.grant === grant) entry.spent = true;
  }

  /** The grant behind a value, also when that is spent or expired. */
  grantOf(value: string): Grant | undefined {
    return this.#entries.get(value)?.grant;
  }
}

import type { AdapterAccount, AdapterSession, AdapterUser, VerificationToken } from '@latchkey/core/adapters';

/** A key that no other case uses. */
export function fresh(prefix: string): string {
  return `${prefix}-${crypto.randomUUID()}`;
}

/** An instant in the future whose milliseconds are not zero. */
export function soon(minutes = 60): Date {
  const instant = new Date(Date.now() + minutes * 60_000);
  instant.setUTCMilliseconds(457);
  return instant;
}

/** A user as core creates them. */
export function aUser(members: Partial<AdapterUser> = {}): AdapterUser {
  return {
    id: crypto.randomUUID(),
    name: 'Ada Lovelace',
    email: `${fresh('ada')}@example.com`,
    image: 'https://example.com/ada.png',
    emailVerified: null,
    ...members,
  };
}

/** An account with every member that is kept. */
export function anAccount(userId: string, members: Partial<AdapterAccount> = {}): AdapterAccount {
  return {
    provider: 'github',
    providerAccountId: fresh('account'),
    type: 'oauth',
    userId,
    access_token: 'access',
    expires_at: 1_900_000_000,
    id_token: 'id',
    refresh_token: 'refresh',
    scope: 'user:email',
    session_state: 'state',
    token_type: 'bearer',
    ...members,
  };
}

/** A session that is alive. */
export function aSession(userId: string, members: Partial<AdapterSession> = {}): AdapterSession {
  return { sessionToken: fresh('session'), userId, expires: soon(), ...members };
}

/** A token that is alive. */
export function aToken(members: Partial<VerificationToken> = {}): VerificationToken {
  return { identifier: `${fresh('ada')}@example.com`, token: fresh('token'), expires: soon(), ...members };
}

/** Text that stores get wrong. */
export const hostile: Readonly<Record<string, string>> = {
  quotes: `O'Brien "the" \`hat\``,
  sql: `'); delete from auth_users; --`,
  backslashes: 'C:\\new\\table\\',
  wildcards: '%_*?[a-z]',
  'a JSON path': '$.user["id"][0]',
  'a placeholder': '? $1 :id @id {id}',
  NUL: 'before\0after',
  'control characters': 'a\r\n\t\u001b[31mb',
  emoji: '👩‍👩‍👧‍👦🏳️‍🌈',
  'right to left': 'שלום \u202Eabc\u202C مرحبا',
  'half of a surrogate pair': 'a\uD800b',
  'U+FFFD': 'a\uFFFDb',
  'a member of Object': '__proto__',
  'a date': '2026-01-01T00:00:00.000Z',
  'a number': '1e3',
  null: 'null',
  spaces: '  both ends  ',
  'great length': 'long '.repeat(4000),
};

/** What a store may refuse to keep; what it keeps, it keeps exactly. */
export const refusable: ReadonlySet<string> = new Set(['NUL', 'half of a surrogate pair', 'great length']);

/** Keys that a store must tell apart. */
export const lookAlikes: readonly string[] = [
  'Key',
  'key',
  'KEY',
  'key ',
  ' key',
  'key\0',
  'k\u00e9y',
  'ke\u0301y',
  'key\u200b',
  'кey',
  'ｋey',
  'stra\u00dfe',
  'strasse',
];

type AccountKey = Pick<AdapterAccount, 'provider' | 'providerAccountId'>;

/** What an account is asked for by: adapters may take every member that they are given for a condition. */
export function accountKey({ provider, providerAccountId }: AccountKey): AccountKey {
  return { provider, providerAccountId };
}

/** What a verification token is asked for by. */
export function tokenKey({ identifier, token }: VerificationToken): Pick<VerificationToken, 'identifier' | 'token'> {
  return { identifier, token };
}

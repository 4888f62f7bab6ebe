import {
  type AdapterAccount,
  type AdapterAuthenticator,
  type AdapterSession,
  type AdapterUser,
  addedFields,
  type FieldKind,
  fields,
  type VerificationToken,
} from '@latchkey/core/adapters';

/** Returns a key that no other case uses. */
export function fresh(prefix: string): string {
  return `${prefix}-${crypto.randomUUID()}`;
}

/** Returns an instant in the future whose milliseconds are not zero. */
export function soon(minutes = 60): Date {
  const instant = new Date(Date.now() + minutes * 60_000);
  instant.setUTCMilliseconds(457);
  return instant;
}

/** Returns a user as core creates them. */
export function aUser(members: Partial<AdapterUser> = {}): AdapterUser {
  const email = `${fresh('ada')}@example.com`;
  const image = 'https://example.com/ada.png';
  return { ...sampleOf(fields.users), name: 'Ada Lovelace', email, image, emailVerified: null, ...members };
}

/** Returns an account with every field that the tables of Auth.js v5 keep. */
export function anAccount(userId: string, members: Partial<AdapterAccount> = {}): AdapterAccount {
  const { createdAt: _, label: __, ...sample } = sampleOf(fields.accounts);
  return { ...sample, provider: 'github', type: 'oauth', token_type: 'bearer', userId, ...members };
}

/** Returns a session that has not expired. */
export function aSession(userId: string, members: Partial<AdapterSession> = {}): AdapterSession {
  return { ...sampleOf(fields.sessions), userId, ...members };
}

/** Returns a token that has not expired. */
export function aToken(members: Partial<VerificationToken> = {}): VerificationToken {
  return { ...sampleOf(fields.verificationTokens), identifier: `${fresh('ada')}@example.com`, ...members };
}

/** Returns an authenticator that has not been used. */
export function anAuthenticator(userId: string, members: Partial<AdapterAuthenticator> = {}): AdapterAuthenticator {
  return {
    ...without(addedFields.authenticators, sampleOf(fields.authenticators)),
    credentialPublicKey: 'cHVibGljIGtleQ==',
    counter: 0,
    credentialDeviceType: 'multiDevice',
    transports: 'internal,hybrid',
    userId,
    ...members,
  };
}

function without<Row extends object>(names: readonly string[] = [], row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name))) as Row;
}

interface Values {
  id: string;
  key: string;
  link: string;
  text: string;
  number: number;
  boolean: boolean;
  date: Date;
}

type Sample<Fields extends Readonly<Record<string, FieldKind>>> = {
  -readonly [Name in keyof Fields]: Values[Fields[Name]];
};

/** Returns a row with a value for each field, so that a new field is part of each case. */
function sampleOf<Fields extends Readonly<Record<string, FieldKind>>>(kinds: Fields): Sample<Fields> {
  const values = (name: string): Values => ({
    id: crypto.randomUUID(),
    key: fresh(name),
    link: '',
    text: name,
    number: 1_900_000_000,
    boolean: true,
    date: soon(),
  });
  return Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, values(name)[kind]])) as Sample<Fields>;
}

/** Text that stores often change. */
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

/** Text that a store may refuse. If it keeps the text, it must not change it. */
export const refusable: ReadonlySet<string> = new Set(['NUL', 'half of a surrogate pair', 'great length']);

/** Keys that a store must not confuse. */
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

/** Returns the key of an account alone: an adapter may use each member that it is given as a condition. */
export function accountKey({ provider, providerAccountId }: AccountKey): AccountKey {
  return { provider, providerAccountId };
}

/** Returns the key of a verification token alone. */
export function tokenKey({ identifier, token }: VerificationToken): Pick<VerificationToken, 'identifier' | 'token'> {
  return { identifier, token };
}

import type { AdapterAccount, AdapterAuthenticator, AdapterUser } from '@latchkey/core/adapters';
import { describe, expect, it } from 'vitest';
import type { SqlAdapter } from '../src/index.ts';
import { hostileTexts } from './engines/hostile-texts.ts';
import { dialectPlaces, placeOf } from './place.ts';
import { ada, github, later, passkey } from './samples.ts';

/** Texts that stores often change, and texts that are too long for some of them. */
const texts: readonly string[] = [
  ...hostileTexts,
  '$.user["id"][0]',
  "$[?(@.a=='b')]",
  '__proto__',
  'שלום \u202eabc\u202c مرحبا',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  'C:\\new\\table\\',
  'a\r\n\u001b[31mb',
  ' both ends ',
  'x'.repeat(70_000),
  'é'.repeat(500_001),
];

/** Fields that hold any text. */
const values = {
  users: ['name', 'image'],
  accounts: ['access_token', 'id_token', 'refresh_token', 'scope', 'session_state', 'token_type', 'type'],
  authenticators: ['credentialPublicKey', 'credentialDeviceType', 'transports'],
} as const;

/** A field that identifies rows. */
interface Key {
  readonly field: string;
  /** Writes a row with this key and a mark of its owner. */
  write(adapter: SqlAdapter, key: string, owner: string): unknown;
  /** Finds the row with this key, and returns the key and the mark. */
  find(adapter: SqlAdapter, key: string, owner: string): Promise<readonly [key: unknown, owner: unknown] | null>;
}

const keys: readonly Key[] = [
  {
    field: 'users.email',
    write: (adapter, email, name) => adapter.createUser({ ...ada, id: name, name, email }),
    // An empty address is stored as null.
    find: async (adapter, email, name) => {
      const user = await (email ? adapter.getUserByEmail(email) : adapter.getUser(name));
      return user && [user.email ?? '', user.name];
    },
  },
  {
    field: 'id',
    write: (adapter, id, name) => adapter.createUser({ ...ada, id, name, email: name }),
    find: async (adapter, id) => pair(await adapter.getUser(id), 'id', 'name'),
  },
  {
    field: 'accounts.provider',
    write: (adapter, provider, scope) => adapter.linkAccount({ ...github, provider, scope }),
    find: async (adapter, provider) => pair(await adapter.getAccount('1', provider), 'provider', 'scope'),
  },
  {
    field: 'accounts.providerAccountId',
    write: (adapter, providerAccountId, scope) => adapter.linkAccount({ ...github, providerAccountId, scope }),
    find: async (adapter, id) => pair(await adapter.getAccount(id, 'github'), 'providerAccountId', 'scope'),
  },
  {
    field: 'sessions.sessionToken',
    write: (adapter, sessionToken, owner) =>
      adapter.createSession({ sessionToken, userId: 'ada', expires: new Date(Number(owner)) }),
    find: async (adapter, token) => {
      const session = (await adapter.getSessionAndUser(token))?.session;
      return session ? [session.sessionToken, String(session.expires.getTime())] : null;
    },
  },
  {
    field: 'verificationTokens.identifier',
    write: (adapter, identifier, owner) =>
      adapter.createVerificationToken({ identifier, token: 't', expires: new Date(Number(owner)) }),
    find: async (adapter, identifier) =>
      taken(await adapter.useVerificationToken({ identifier, token: 't' }), 'identifier'),
  },
  {
    field: 'verificationTokens.token',
    write: (adapter, token, owner) =>
      adapter.createVerificationToken({ identifier: 'i', token, expires: new Date(Number(owner)) }),
    find: async (adapter, token) => taken(await adapter.useVerificationToken({ identifier: 'i', token }), 'token'),
  },
  {
    field: 'authenticators.credentialID',
    write: (adapter, credentialID, transports) => adapter.createAuthenticator({ ...passkey, credentialID, transports }),
    find: async (adapter, id) => pair(await adapter.getAuthenticator(id), 'credentialID', 'transports'),
  },
];

describe.each(dialectPlaces)('hostile text on $name', (kind) => {
  const place = placeOf(kind);

  it('is stored unchanged in each field, or refused with a TypeError that names the field', async () => {
    const { adapter } = place;
    await adapter.createUser(ada);
    const before = await place.counts();
    const refused: string[] = [];
    for (const text of texts) {
      const rows = rowsWith(text);
      const user = await outcome(adapter.createUser(rows.user));
      if (user.error) {
        refused.push(text);
        for (const table of ['users', 'accounts', 'authenticators'] as const)
          for (const field of values[table]) {
            const { error } = await outcome(writeOne(adapter, table, { [field]: text }));
            expectRefusal(error, `${table}.${field}`, text);
          }
      } else {
        expectSame(await adapter.getUser('bob'), rows.user, text);
        await adapter.linkAccount(rows.account);
        expectSame(await adapter.getAccount('hostile', 'github'), rows.account, text);
        await adapter.createAuthenticator(rows.passkey);
        expectSame(await adapter.getAuthenticator('hostile'), rows.passkey, text);
        await adapter.deleteUser('bob');
      }
    }
    expect(await place.counts()).toEqual(before);
    expectFew(refused, kind.dialect === 'mysql' ? 5 : 9);
  });

  it.each(keys)(
    'is distinguished as $field, or refused with a TypeError that names it',
    async ({ field, write, find }) => {
      const { adapter } = place;
      await adapter.createUser(ada);
      const kept: [key: string, owner: string][] = [];
      const refused: string[] = [];
      for (const [index, text] of texts.entries()) {
        const owner = String(later.getTime() + index);
        const { error } = await outcome(write(adapter, text, owner));
        if (!error) kept.push([text, owner]);
        else {
          expectRefusal(error, field, text);
          refused.push(text);
        }
      }
      const counts = await place.counts();
      expect(Math.max(...Object.values(counts))).toBe(kept.length + (counts['auth_users'] === kept.length + 1 ? 1 : 0));
      for (const [key, owner] of kept)
        expect(same(await find(adapter, key, owner), [key, owner]), abridged(key)).toBe(true);
      for (const key of refused) expect(await find(adapter, key, ''), abridged(key)).toBeNull();
      expectFew(refused, 24);
    },
  );

  it('is stored unchanged by an update, or refused', async () => {
    const { adapter } = place;
    await adapter.createUser(ada);
    await adapter.linkAccount(github);
    for (const text of texts) {
      const account = await adapter.getAccount('1', 'github');
      const updated = await outcome(adapter.updateUser({ id: 'ada', name: text, image: null }));
      if (updated.error) {
        expectRefusal(updated.error, 'users.name', text);
        expect((await adapter.getUser('ada'))?.name).not.toBe(text);
        const { error } = await outcome(adapter.updateAccount({ ...github, scope: 'new', id_token: text }));
        expectRefusal(error, 'accounts.id_token', text);
        expect(await adapter.getAccount('1', 'github')).toEqual(account);
      } else {
        expectSame(await adapter.getUser('ada'), { ...ada, name: text }, text);
        await adapter.updateAccount({ ...github, id_token: text });
        expectSame(await adapter.getAccount('1', 'github'), { ...github, id_token: text }, text);
      }
    }
  });

  it('does not find, change or delete other rows', async () => {
    const { adapter } = place;
    await adapter.createUser(ada);
    await adapter.linkAccount(github);
    await adapter.createSession({ sessionToken: 's', userId: 'ada', expires: later });
    await adapter.createVerificationToken({ identifier: 'i', token: 't', expires: later });
    await adapter.createAuthenticator(passkey);
    const before = await place.counts();
    // biome-ignore format: one list
    const looks = ['', ' ', '%', '_', "' or '1'='1", '\\', 's\0', 's ', 'S', 'ada ', 'ADA', 't\0', 'credential\0', '\ud83d'];
    for (const text of [...looks, 'x'.repeat(70_000)]) {
      expect(await adapter.getUser(text)).toBeNull();
      expect(await adapter.getUserByEmail(text)).toBeNull();
      expect(await adapter.getUserByAccount({ provider: 'github', providerAccountId: text })).toBeNull();
      expect(await adapter.getSessionAndUser(text)).toBeNull();
      expect(await adapter.updateSession({ sessionToken: text, expires: new Date(0) })).toBeNull();
      expect(await adapter.extendSession({ sessionToken: text, from: later, to: new Date(0) })).toBe(false);
      expect(await adapter.deleteSession(text)).toBeNull();
      expect(await adapter.deleteUser(text)).toBeNull();
      expect(await adapter.unlinkAccount({ provider: 'github', providerAccountId: text })).toBeUndefined();
      expect(await adapter.useVerificationToken({ identifier: 'i', token: text })).toBeNull();
      expect(await adapter.getAuthenticator(text)).toBeNull();
      expect(await adapter.listAuthenticatorsByUserId(text)).toEqual([]);
    }
    expect(await place.counts()).toEqual(before);
  });

  it('is spent once as a key, or refused', async () => {
    const spent: string[] = [];
    for (const text of texts) {
      const { error, value } = await outcome(place.adapter.spendOnce(text, later));
      if (error) expectRefusal(error, 'verificationTokens.token', text);
      else if (value) spent.push(text);
    }
    expect(spent.length).toBeGreaterThan(texts.length - 24);
    for (const text of spent) expect(await place.adapter.spendOnce(text, later)).toBe(false);
  });
});

function rowsWith(text: string): { user: AdapterUser; account: AdapterAccount; passkey: AdapterAuthenticator } {
  const filled = (fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, text]));
  return {
    user: { ...ada, id: 'bob', email: 'bob@example.com', ...filled(values.users) },
    account: { ...github, providerAccountId: 'hostile', userId: 'bob', ...filled(values.accounts) },
    passkey: { ...passkey, credentialID: 'hostile', userId: 'bob', ...filled(values.authenticators) },
  };
}

function writeOne(adapter: SqlAdapter, table: keyof typeof values, members: object): unknown {
  if (table === 'users') return adapter.createUser({ ...ada, id: 'bob', email: 'bob@example.com', ...members });
  if (table === 'accounts') return adapter.linkAccount({ ...github, ...members });
  return adapter.createAuthenticator({ ...passkey, ...members });
}

/** Returns the key of a row and the mark of its owner. */
function pair<T extends object>(row: T | null, key: keyof T, owner: keyof T): [unknown, unknown] | null {
  return row && [row[key], row[owner]];
}

function taken<T extends { expires: Date }>(row: T | null, key: keyof T): [unknown, unknown] | null {
  return row && [row[key], String(row.expires.getTime())];
}

async function outcome(work: unknown): Promise<{ value?: unknown; error?: unknown }> {
  try {
    return { value: await work };
  } catch (error) {
    return { error };
  }
}

function expectRefusal(error: unknown, field: string, text: string): void {
  expect(error, `${field}: ${abridged(text)}`).toBeInstanceOf(TypeError);
  expect(String(error)).toMatch(new RegExp(`^TypeError: ${field} must be (text|an id) `));
  // The error must not contain the value. Short values may be part of a word.
  if (text.length > 5) expect((error as Error).stack?.includes(text)).toBe(false);
}

/** Fails if a database refuses more texts than before. */
function expectFew(refused: readonly string[], most: number): void {
  expect(refused.length, refused.map(abridged).join(' ')).toBeLessThanOrEqual(most);
  expect(refused.length).toBeGreaterThan(0);
}

function expectSame(actual: unknown, expected: unknown, text: string): void {
  expect(same(actual, expected), abridged(text)).toBe(true);
}

/** `toEqual` would need minutes to print the difference of long texts. */
function same(actual: unknown, expected: unknown): boolean {
  const sorted = (value: unknown) => JSON.stringify(Object.entries(value ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(actual) === sorted(expected);
}

function abridged(text: string): string {
  return JSON.stringify(text.slice(0, 40));
}

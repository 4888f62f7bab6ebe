import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SqlAdapter } from '../../src/index.ts';
import { ada, bob, github, later, passkey } from '../samples.ts';

const schema = { ids: { type: 'integer' }, tables: { users: 'people' } } as const;

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue());
afterEach(() => vi.restoreAllMocks());

/** A database with a table of users whose ids are declared this way. */
function databaseWith(id: string): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  db.exec(`create table people (id ${id}, name text, email text, "emailVerified" text, image text)`);
  return db;
}

it.each(['createUser', 'createUserWithAccount'] as const)(
  'a user of %s with the id of a deleted user gets neither the accounts nor the sessions nor the passkeys of that user',
  async (method) => {
    const db = databaseWith('integer primary key');
    const adapter = SqlAdapter(db, { schema });
    const { id: userId } = await adapter.createUser(ada);
    await adapter.linkAccount({ ...github, userId });
    await adapter.createSession({ sessionToken: 's', userId, expires: later });
    await adapter.createAuthenticator({ ...passkey, userId });
    db.exec('delete from people');
    const { userId: _, ...account } = { ...github, providerAccountId: '2' };
    const next = method === 'createUser' ? await adapter.createUser(bob) : await adapter[method](bob, account);
    expect(next.id).toBe(userId);
    expect(await adapter.getUserByAccount(github)).toBeNull();
    expect(await adapter.getSessionAndUser('s')).toBeNull();
    expect(await adapter.listAuthenticatorsByUserId(next.id)).toEqual([]);
    const own = await adapter.getUserByAccount(account);
    expect(own?.id).toBe(method === 'createUser' ? undefined : next.id);
  },
);

it('a table that repeats ids is reported once, a table that does not is not reported', async () => {
  await SqlAdapter(databaseWith('integer primary key autoincrement'), { schema }).createUser(ada);
  const ids = { type: 'text', madeBy: 'database' } as const;
  const random = databaseWith('text primary key default (hex(randomblob(16)))');
  await SqlAdapter(random, { schema: { ...schema, ids } }).createUser(ada);
  expect(console.warn).not.toHaveBeenCalled();
  const adapter = SqlAdapter(databaseWith('integer primary key'), { schema });
  await adapter.createUser(ada);
  await adapter.createUser(bob);
  expect(vi.mocked(console.warn).mock.calls).toEqual([[expect.stringContaining('[repeated-ids]')]]);
});

it('a user is created if the tables of sessions and passkeys are missing', async () => {
  const db = databaseWith('integer primary key');
  expect((await SqlAdapter(db, { schema, migrate: false }).createUser(ada)).id).toBe('1');
});

import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { adapterSuite, type SuiteRunner } from '@latchkey/testing/adapter-suite';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type HashSessionTokens, SqlAdapter, type SqlAdapterOptions } from '../src/index.ts';
import { application } from './application.ts';
import { counted } from './counted.ts';
import type { Opened } from './engines/engines.ts';
import { run } from './engines/things.ts';
import { dialectPlaces, type Place, placeOf } from './place.ts';
import { engineFor } from './presets/opened.ts';
import { ada, bob, later } from './samples.ts';
import { mayRefuse } from './suite/combinations.ts';

const hashOf = (token: string): string => `sha256:${createHash('sha256').update(token).digest('base64url')}`;
const session = (sessionToken: string) => ({ sessionToken, userId: 'ada', expires: later });

/** The tokens in the database. */
async function stored(place: Place): Promise<unknown[]> {
  const rows = await place.rows(sql`select ${sql.ref('sessionToken')} as token from auth_sessions`);
  return rows.map(({ token }) => token).sort();
}

/** An adapter of the same database in another process. */
const withTokens = (place: Place, hashSessionTokens: HashSessionTokens, options: SqlAdapterOptions = {}): SqlAdapter =>
  SqlAdapter(place.db, { ...options, hashSessionTokens });

describe.each(dialectPlaces)('an adapter that hashes session tokens on $name', (kind) => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await kind.open();
  });
  afterAll(() => opened?.close());

  const { it: register } = mayRefuse(kind.dialect);
  // The option changes nothing but sessions. Other cases run in `suite/`.
  const ofSessions: SuiteRunner = {
    describe: (_title, body) => body(),
    it: (title, body) => /session|expir/.test(title) && register(title, body),
  };
  adapterSuite(() => ({ adapter: SqlAdapter(opened.db, { hashSessionTokens: true }) }), ofSessions, {
    optional: true,
    unique: true,
  });
});

describe.each(dialectPlaces)('hashed session tokens in a database of $name', (kind) => {
  const place = placeOf(kind);

  it('are in the rows, while the browser has the tokens', async () => {
    const { visitor, signIn, session: read } = application(withTokens(place, true));
    const browser = visitor();
    await signIn(browser);
    expect(await read(browser)).toMatchObject({ user: {} });
    expect(await stored(place)).toEqual([expect.stringMatching(/^sha256:[\w-]{43}$/)]);
  });

  it.each([false, 'read', true] as const)(
    'open nothing when a copy of them is presented (option %s)',
    async (option) => {
      await place.adapter.createUser(ada);
      await withTokens(place, true).createSession(session('secret'));
      const adapter = withTokens(place, option);
      const [hash] = (await stored(place)) as [string];
      expect(hash).toBe(hashOf('secret'));
      expect(await adapter.getSessionAndUser(hash)).toBeNull();
      expect(await adapter.updateSession({ sessionToken: hash, expires: later })).toBeNull();
      expect(await adapter.extendSession({ sessionToken: hash, from: later, to: later })).toBe(false);
      expect(await adapter.deleteSession(hash)).toBeNull();
      expect(await stored(place)).toEqual([hash]);
    },
  );

  it.each(['read', true] as const)('are found beside rows with plain tokens (option %s)', async (option) => {
    await place.adapter.createUser(ada);
    await place.adapter.createSession(session('plain'));
    await withTokens(place, true).createSession(session('hashed'));
    const adapter = withTokens(place, option);
    for (const sessionToken of ['plain', 'hashed']) {
      expect(await adapter.getSessionAndUser(sessionToken)).toMatchObject({
        session: session(sessionToken),
        user: ada,
      });
      expect(await adapter.updateSession(session(sessionToken))).toMatchObject(session(sessionToken));
      expect(await adapter.deleteSession(sessionToken)).toMatchObject(session(sessionToken));
      expect(await adapter.getSessionAndUser(sessionToken)).toBeNull();
    }
  });

  it('replace a plain token when its session is extended', async () => {
    await place.adapter.createUser(ada);
    await place.adapter.createSession(session('plain'));
    const to = new Date(later.getTime() + 1);
    expect(await withTokens(place, 'read').extendSession({ sessionToken: 'plain', from: later, to })).toBe(true);
    expect(await stored(place)).toEqual(['plain']);
    expect(await withTokens(place, true).extendSession({ sessionToken: 'plain', from: to, to: later })).toBe(true);
    expect(await stored(place)).toEqual([hashOf('plain')]);
    expect(await withTokens(place, 'read').getSessionAndUser('plain')).toMatchObject({ session: session('plain') });
  });

  it('are not read without the option, and new rows then have plain tokens', async () => {
    await place.adapter.createUser(ada);
    await withTokens(place, true).createSession(session('hashed'));
    expect(await place.adapter.getSessionAndUser('hashed')).toBeNull();
    for (const option of [false, 'read'] as const) await withTokens(place, option).createSession(session(`${option}`));
    expect(await stored(place)).toEqual(['false', 'read', hashOf('hashed')].sort());
  });

  it('refuse a plain token that looks like a hash', async () => {
    await place.adapter.createUser(ada);
    await expect(place.adapter.createSession(session(hashOf('x')))).rejects.toThrow('must not begin with sha256:');
  });

  it.each([false, true] as const)('end all sessions of a user but one (option %s)', async (option) => {
    const adapter = withTokens(place, option);
    await adapter.createUser(ada);
    await adapter.createUser(bob);
    for (const token of ['one', 'two', 'three']) await adapter.createSession(session(token));
    await adapter.createSession({ ...session('other'), userId: 'bob' });
    await adapter.deleteSessionsByUserId('ada', 'two');
    const found = async (token: string) => (await adapter.getSessionAndUser(token))?.session.sessionToken;
    expect(await Promise.all(['one', 'two', 'three', 'other'].map(found))).toEqual([
      undefined,
      'two',
      undefined,
      'other',
    ]);
    await adapter.deleteSessionsByUserId('ada');
    expect(await found('two')).toBeUndefined();
    expect(await place.counts()).toEqual({ auth_users: 2, auth_sessions: 1, auth_users_sessions: 1 });
  });
});

describe.each([
  { dialect: 'sqlite', type: 'text collate nocase' },
  { dialect: 'postgres', type: 'text collate loose' },
] as const)('hashed session tokens in a column of $dialect with the type $type', ({ dialect, type }) => {
  it.skipIf(!engineFor({ dialect }).isAvailable)('open nothing when their hash is presented in capitals', async () => {
    const { db, engine, close } = await engineFor({ dialect }).open();
    onTestFinished(async () => void (await close()));
    if (type.endsWith('loose')) {
      const options = `provider = icu, locale = 'und-u-ks-level2', deterministic = false`;
      await run(engine, sql.raw(`create collation loose (${options})`));
    }
    await run(engine, sql.raw(`create table visits ("id" text primary key, "sessionToken" ${type})`));
    const adapterWith = (hashSessionTokens: HashSessionTokens) =>
      SqlAdapter(db, { hashSessionTokens, schema: { tables: { sessions: 'visits' } } });
    await adapterWith(true).createUser(ada);
    await adapterWith(true).createSession(session('secret'));
    const loud = hashOf('secret').toUpperCase();
    for (const option of [false, 'read', true] as const)
      expect(await adapterWith(option).getSessionAndUser(loud), String(option)).toBeNull();
    expect(await adapterWith('read').getSessionAndUser('secret')).toMatchObject({ session: session('secret') });
  });
});

describe.each(dialectPlaces)('statements with hashed session tokens on $name', (kind) => {
  const place = placeOf(kind);

  it('are as many as without', async () => {
    const { db, statements } = counted(place.db);
    const adapter = SqlAdapter(db, { hashSessionTokens: true });
    await adapter.createUser(ada);
    await adapter.createSession(session('token'));
    statements();
    await adapter.getSessionAndUser('token');
    expect(statements().length).toBe(1);
    await adapter.extendSession({ sessionToken: 'token', from: later, to: later });
    expect(statements().length).toBe(1);
  });
});

it('have an option whose values the error names', () => {
  const wrong = { hashSessionTokens: 'yes' } as unknown as SqlAdapterOptions;
  expect(() => SqlAdapter(new DatabaseSync(':memory:'), wrong)).toThrow(
    '`hashSessionTokens` must be true, false or "read"',
  );
});

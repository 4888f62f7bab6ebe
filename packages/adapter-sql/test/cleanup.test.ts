import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Database, SqlAdapter } from '../src/index.ts';
import { type Counted, counted } from './counted.ts';
import { rowsOf, run } from './engines/things.ts';
import { dialectPlaces, type Place, placeOf } from './place.ts';
import { ada, later } from './samples.ts';

const start = new Date('2026-01-01T00:00:00Z');
const expires = new Date(start.getTime() + 1000);
const after = new Date(expires.getTime() + 1);

describe.each(dialectPlaces)('cleanup on $name', (kind) => {
  const clock = { now: start };
  const place = placeOf(kind, { now: () => clock.now });

  it('deletes expired rows with their links, and keeps the others', async () => {
    const { adapter } = place;
    clock.now = start;
    await adapter.createUser(ada);
    await addSessions(place, 450);
    await adapter.createSession({ sessionToken: 'alive', userId: 'ada', expires: later });
    await adapter.createSession({ sessionToken: 'without expiry', userId: 'ada', expires });
    await run(
      place.engine,
      sql`update ${sql.table('auth_sessions')} set expires = ${null} where ${sql.ref('sessionToken')} = ${'without expiry'}`,
    );
    await adapter.createVerificationToken({ identifier: 'ada', token: 'old', expires });
    await adapter.createVerificationToken({ identifier: 'ada', token: 'young', expires: later });
    await adapter.spendOnce('key', expires);
    clock.now = expires;
    expect(await adapter.cleanup()).toBe(0);
    clock.now = after;
    expect(await adapter.cleanup()).toBe(452);
    expect(await adapter.cleanup()).toBe(0);
    expect(await place.counts()).toEqual({
      auth_users: 1,
      auth_sessions: 2,
      auth_users_sessions: 2,
      auth_verificationTokens: 1,
    });
    expect((await adapter.getSessionAndUser('alive'))?.user).toEqual(ada);
    expect(await adapter.useVerificationToken({ identifier: 'ada', token: 'young' })).not.toBeNull();
    expect(await adapter.spendOnce('key', later)).toBe(true);
  });

  it('continues after rows without a key', async () => {
    const { adapter } = place;
    await adapter.createUser(ada);
    await addSessions(place, 250);
    await run(place.engine, sql`update ${sql.table('auth_sessions')} set ${sql.ref('sessionToken')} = ${null}`);
    await addSessions(place, 250);
    clock.now = after;
    expect(await adapter.cleanup()).toBe(250);
    expect(await place.counts()).toMatchObject({ auth_sessions: 250, auth_users_sessions: 250 });
  });

  it('can run several times simultaneously', async () => {
    const { adapter } = place;
    await adapter.createUser(ada);
    await addSessions(place, 450);
    clock.now = after;
    const deleted = await Promise.all([adapter.cleanup(), adapter.cleanup(), adapter.cleanup()]);
    expect(await place.counts()).toEqual({ auth_users: 1 });
    expect(deleted.reduce((sum, n) => sum + n)).toBe(450);
  });
});

describe.each(dialectPlaces)('cleanup on $name', (kind) => {
  const place = placeOf(kind);
  let watched: Counted<Database>;
  let adapter: SqlAdapter;

  beforeAll(async () => {
    watched = counted(place.db);
    adapter = SqlAdapter(watched.db, { now: () => after });
    await adapter.cleanup();
  });

  it('deletes five thousand rows in transactions of two hundred, and lets other work run in between', async () => {
    await adapter.createUser(ada);
    await addSessions(place, 5000);
    watched.statements();
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    expect(await adapter.cleanup()).toBe(5000);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(20);
    expect(await place.counts()).toEqual({ auth_users: 1 });
    const statements = watched.statements();
    const deletions = statements.filter((sql) => /^delete from .auth_sessions/.test(sql));
    expect(deletions).toHaveLength(25);
    expect(new Set(deletions).size).toBe(1);
    expect(statements.length).toBeLessThan(110);
  });

  it('keeps a session that is extended during the cleanup', async () => {
    await adapter.createUser(ada);
    await addSessions(place, 3);
    const expiry = place.engine.dialect.dateIn(later);
    let isExtended = false;
    const { db } = counted(place.db, (statement) => {
      if (isExtended || !/^select .*auth_sessions/.test(statement)) return undefined;
      isExtended = true;
      return place.run(sql`update auth_sessions set expires = ${expiry} where ${sql.ref('sessionToken')} = 's1'`);
    });
    expect(await SqlAdapter(db, { now: () => after, migrate: false }).cleanup()).toBe(2);
    expect((await adapter.getSessionAndUser('s1'))?.session.expires).toEqual(later);
    expect(await place.counts()).toEqual({ auth_users: 1, auth_sessions: 1, auth_users_sessions: 1 });
  });
});

describe.each(dialectPlaces.filter(({ name }) => name === 'pg'))('cleanup on $name', (kind) => {
  const place = placeOf(kind, { now: () => after });

  it('keeps no session without its link if the session is extended during the deletion', async () => {
    const { adapter } = place;
    await adapter.createUser(ada);
    await addSessions(place, 1);
    // Another transaction locks the link, so that the cleanup waits between its two deletions.
    const holder = new pg.Client((place.db as unknown as pg.Pool).options);
    await holder.connect();
    await holder.query('begin; select 1 from auth_users_sessions for update');
    const cleaning = adapter.cleanup();
    await waitFor(place, `select 1 from pg_locks where not granted`);
    const extending = extend(place, 's0');
    await Promise.race([extending, waitFor(place, `select 1 from pg_locks where not granted offset 1`)]);
    await holder.query('rollback');
    await holder.end();
    const [deleted, extended] = await Promise.all([cleaning, extending]);
    expect([deleted, extended]).toEqual([1, false]);
    expect(await place.counts()).toEqual({ auth_users: 1 });
  });
});

async function extend({ adapter }: Place, sessionToken: string): Promise<boolean> {
  return adapter.extendSession({ sessionToken, from: expires, to: later });
}

async function waitFor({ engine }: Place, statement: string): Promise<void> {
  while ((await rowsOf(engine, sql.raw(statement))).length === 0) await new Promise((done) => setTimeout(done, 5));
}

/** Inserts expired sessions of Ada in few statements. */
async function addSessions({ engine }: Place, count: number): Promise<void> {
  const { dialect } = engine;
  const first = crypto.randomUUID();
  const suffix = (n: number) => (count < 10 ? `s${n}` : `${first}-${n}`);
  for (let from = 0; from < count; from += 500) {
    const numbers = Array.from({ length: Math.min(500, count - from) }, (_, index) => from + index);
    const sessions = numbers.map((n) => sql`(${suffix(n)}, ${suffix(n)}, 'ada', ${dialect.dateIn(expires)})`);
    await run(
      engine,
      sql`insert into ${sql.table('auth_sessions')} (id, ${sql.ref('sessionToken')}, ${sql.ref('user')}, expires)
        values ${sql.join(sessions)}`,
    );
    const links = numbers.map((n) => sql`(${`l${suffix(n)}`}, ${suffix(n)}, 'ada')`);
    await run(
      engine,
      sql`insert into ${sql.table('auth_users_sessions')} (id, session, ${sql.ref('user')}) values ${sql.join(links)}`,
    );
  }
}

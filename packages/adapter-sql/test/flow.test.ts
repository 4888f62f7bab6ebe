import { beforeAll, describe, expect, it } from 'vitest';
import { migrate, SqlAdapter } from '../src/index.ts';
import { application } from './application.ts';
import { bareOf } from './bare.ts';
import { type Counted, counted } from './counted.ts';
import { dialectPlaces, placeOf, places } from './place.ts';

describe.each(places)('an application on $name', (kind) => {
  const place = placeOf(kind);

  it('signs in, shows the session, and signs out', async () => {
    const { errors, visitor, post, signIn, session } = application(place.adapter);
    const browser = visitor();
    await signIn(browser);
    expect(await session(browser)).toMatchObject({ user: { email: 'ada@example.com' } });
    const rows = { auth_users: 1, auth_accounts: 1, auth_users_accounts: 1 };
    // The state of the sign-in, which can be used once.
    const spent = { auth_verificationTokens: 1 };
    expect(await place.counts()).toEqual({ ...rows, ...spent, auth_sessions: 1, auth_users_sessions: 1 });
    await post(browser, 'signout');
    expect(await session(browser)).toBeNull();
    expect(await place.counts()).toEqual({ ...rows, ...spent });
    expect(errors).toEqual([]);
  });

  it('signs in by a mailed link, and stores the time of the verification', async () => {
    const { errors, visitor, mailedLink, session } = application(place.adapter);
    const browser = visitor();
    await browser.get(await mailedLink(browser, 'grace@example.com'), { site: 'cross-site' });
    expect(await session(browser)).toMatchObject({ user: { email: 'grace@example.com' } });
    expect((await place.adapter.getUserByEmail('grace@example.com'))?.emailVerified).toBeInstanceOf(Date);
    expect(await place.counts()).toEqual({ auth_users: 1, auth_sessions: 1, auth_users_sessions: 1 });
    expect(errors).toEqual([]);
  });
});

describe.each(dialectPlaces)('an application whose tables are missing on $name', (kind) => {
  const place = bareOf(kind);

  it('learns it when a sign-in starts, with the call that creates them', async () => {
    const { db } = place;
    const app = application(SqlAdapter(db, { migrate: false }));
    for (const path of ['signin/fake', 'signin/mail']) {
      const page = await app.post(app.visitor(), path, { email: 'ada@example.com' });
      expect(page.location).toMatch(/\/auth\/error\?error=Configuration&reference=/);
      const words =
        ' has no table "auth_users", "auth_accounts", "auth_verificationTokens", "auth_sessions" (SqlAdapter, `migrate: false`). Run';
      expect(app.errors.at(-1)?.message).toContain(words);
    }
    await migrate(db);
    const browser = app.visitor();
    await app.signIn(browser);
    expect(await app.session(browser)).toMatchObject({ user: { email: 'ada@example.com' } });
    expect(app.errors).toHaveLength(2);
  });

  it('needs no table for sessions in cookies', async () => {
    const { db, engine } = place;
    await migrate(db);
    for (const table of ['auth_users_sessions', 'auth_sessions', 'auth_authenticators']) {
      await engine.run({
        sql: `drop table ${kind.dialect === 'mysql' ? `\`${table}\`` : `"${table}"`}`,
        parameters: [],
      });
    }
    const app = application(SqlAdapter(db, { migrate: false }), { strategy: 'jwt' });
    const browser = app.visitor();
    await app.signIn(browser);
    expect(await app.session(browser)).toMatchObject({ user: { email: 'ada@example.com' } });
    expect(app.errors).toEqual([]);
  });

  it('learns it with a preset, too', async () => {
    const app = application(SqlAdapter(place.db, { schema: 'kysely-adapter' }));
    const page = await app.post(app.visitor(), 'signin/fake');
    expect(page.location).toMatch(/\/auth\/error\?error=Configuration&reference=/);
    expect(app.errors.at(-1)?.message).toMatch(/no table "(User|Account)".*call `migrate\(db, \{ schema \}\)`/);
  });
});

describe.each(dialectPlaces)('the statements of an application on $name', (kind) => {
  const place = placeOf(kind);
  let watched: Counted<object>;
  let adapter: SqlAdapter;

  beforeAll(async () => {
    watched = counted(place.db);
    adapter = SqlAdapter(watched.db as typeof place.db);
    // The first transaction migrates, so it runs before statements are counted.
    await adapter.deleteUser('unknown');
  });

  it('reads a session with one query, and signs in with few statements', async () => {
    const { visitor, signIn, session, post } = application(adapter);
    const [first, second] = [visitor(), visitor()];
    expect(await session(first)).toBeNull();
    watched.statements();
    await signIn(first);
    expectAtMost(9, watched.statements());
    await signIn(second);
    expectAtMost(6, watched.statements());
    expect(await session(second)).not.toBeNull();
    expectAtMost(1, watched.statements());
    await post(second, 'signout');
    expectAtMost(4, watched.statements());
    expect(await session(first)).not.toBeNull();
    expect(watched.statements()).toHaveLength(1);
  });

  it('needs a few more statements if the visitor is already signed in', async () => {
    const { visitor, signIn, session } = application(adapter);
    const browser = visitor();
    await signIn(browser);
    watched.statements();
    await signIn(browser);
    // The session is read at the start and at the end of the flow, and then deleted with its link.
    expectAtMost(kind.dialect === 'mysql' ? 11 : 10, watched.statements());
    expect(await session(browser)).not.toBeNull();
    expect(await place.counts()).toMatchObject({ auth_sessions: 1, auth_users_sessions: 1 });
  });
});

function expectAtMost(number: number, statements: readonly string[]): void {
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(number);
  expect(statements.length).toBeGreaterThan(0);
}

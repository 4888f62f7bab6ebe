import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Fresh, OwnServer } from '../../../../test/services/index.ts';
import { application, sessionCookie, stranger, wrongRefusal } from './application.ts';
import { type Desk, kinds } from './places.ts';
import { type Pool, poolOf } from './pools.ts';
import { startProgram } from './program.ts';
import { type Tally, tallyOf } from './tally.ts';

/** Time limit for a recovery. */
const soon = { timeout: 60_000 };

/** InnoDB refreshes its list of transactions only after 100 ms without a query. */
const slowly = { ...soon, interval: 150 };

describe.each(kinds.filter(({ isStartable }) => isStartable))('a separate $name', (kind) => {
  let server: OwnServer;
  let fresh: Fresh;
  let pool: Pool;

  beforeAll(async () => {
    server = await kind.start();
    fresh = await server.fresh();
    pool = poolOf(kind.name, fresh.url);
  });

  // A test that failed may have stopped it.
  afterEach(() => server.start().catch(() => undefined));

  afterAll(async () => {
    await pool?.close();
    await server?.stop();
  });

  /** Runs work as an administrator. */
  async function atDesk<Result>(work: (desk: Desk) => Promise<Result>): Promise<Result> {
    const desk = await kind.desk(fresh.url);
    try {
      return await work(desk);
    } finally {
      await desk.close().catch(() => undefined);
    }
  }

  const tally = (): Promise<Tally> => atDesk(tallyOf);

  it('is killed between the steps of a sign-in, and an application starts in the meantime', async () => {
    const app = application(pool.db);
    const [ada, newcomer] = [app.visitor(), app.visitor()];
    const [user, other] = [stranger(), stranger()];
    await app.signIn(ada, user);
    const comingBack = await app.comesBack(newcomer, other);
    const before = await tally();
    await server.kill();

    expect(wrongRefusal(await newcomer.get(comingBack, { site: 'cross-site' }))).toBe('');
    expect(app.logged()).toMatch(/^AdapterError: the adapter's `\w+` failed\b.* <- \w*Error: /);
    const looked = await ada.get('/auth/session');
    expect([looked.status, looked.json(), looked.setCookies]).toEqual([200, null, []]);
    expect(app.logged()).toMatch(/^SessionTokenError/);

    const late = application(pool.db);
    const comer = late.visitor();
    expect(wrongRefusal(await late.signIn(comer, other))).toBe('');

    await server.start();
    expect(await tally()).toEqual(before);
    await expect.poll(() => app.session(ada), soon).toMatchObject({ user: { email: user.email } });
    await app.signIn(newcomer, other);
    expect(await app.session(newcomer)).toMatchObject({ user: { email: other.email } });
    await late.signIn(comer, other);
    expect(await late.session(comer)).toMatchObject({ user: { email: other.email } });
    expect(await tally()).toEqual({ users: before.users + 1, sessions: before.sessions + 2, halves: 0 });
  });

  it('is killed during the insertion of a user with an account: neither is written', async () => {
    const app = application(pool.db);
    const [browser, user] = [app.visitor(), stranger()];
    await app.signIn(app.visitor(), stranger());
    const before = await tally();
    const admin = await kind.desk(fresh.url);
    // An open transaction locks the account's key, so that another insertion waits.
    const holder = await kind.desk(fresh.url);
    await holder.run(
      `begin; insert into "auth_accounts" ("id", "provider", "providerAccountId") values ('x', 'fake', '${user.sub}')`,
    );
    const signingIn = app.signIn(browser, user);
    await expect.poll(() => kind.waiting(admin), slowly).toHaveLength(1);
    await server.kill();
    expect(wrongRefusal(await signingIn)).toBe('');
    expect(app.logged()).toMatch(/^OAuthCreateAccountError: .* <- AdapterError: .*createUserWithAccount.* <- Error: /);
    await Promise.allSettled([admin.close(), holder.close()]);

    await server.start();
    expect(await tally()).toEqual(before);
    await app.signIn(browser, user);
    expect(await app.session(browser)).toMatchObject({ user: { email: user.email } });
    expect(await tally()).toEqual({ users: before.users + 1, sessions: before.sessions + 1, halves: 0 });
  });

  it('is killed repeatedly, and the process of an application survives', async () => {
    const program = startProgram('survivor.ts', kind.name, fresh.url);
    onTestFinished(() => program.kill());
    for (let times = 0; times < 2; times++) {
      await expect.poll(() => program.ask('who'), soon).toBe('survivor@example.com');
      await server.kill();
      expect(await program.ask('who')).toMatch(/^(Aggregate)?Error: /);
      await server.start();
    }
    await expect.poll(() => program.ask('who'), soon).toBe('survivor@example.com');
    expect(await program.end()).toBe(0);
  });

  it('is read-only for a while', async () => {
    const url = await atDesk((desk) => kind.plainUser(desk, fresh.url));
    const [older, newer] = [poolOf(kind.name, url), poolOf(kind.name, url)];
    const app = application(older.db);
    const [ada, newcomer] = [app.visitor(), app.visitor()];
    const [user, other] = [stranger(), stranger()];
    await app.signIn(ada, user);
    const before = await tally();
    await atDesk((desk) => kind.setReadOnly(desk, true));
    await expect.poll(async () => (await app.signIn(app.visitor(), other)).cookie(sessionCookie), soon).toBeUndefined();
    app.logged();

    // One application runs already. Another one starts now, and does not have to migrate.
    for (const one of [app, application(newer.db)]) {
      const [known, unknown] = [one.visitor(ada), one.visitor()];
      expect(await one.session(known)).toMatchObject({ user: { email: user.email } });
      expect(wrongRefusal(await one.signIn(unknown, stranger()))).toBe('');
      expect(one.logged()).toMatch(/read-only/);
      expect(await one.session(known)).toMatchObject({ user: { email: user.email } });
    }
    expect(await tally()).toMatchObject({ halves: 0 });

    await atDesk((desk) => kind.setReadOnly(desk, false));
    await expect.poll(async () => (await app.signIn(newcomer, other)).cookie(sessionCookie), soon).toBeDefined();
    expect(await app.session(newcomer)).toMatchObject({ user: { email: other.email } });
    expect(await tally()).toMatchObject({ halves: 0 });
    expect((await tally()).users).toBeGreaterThan(before.users);
    await Promise.all([older.close(), newer.close()]);
  });
});

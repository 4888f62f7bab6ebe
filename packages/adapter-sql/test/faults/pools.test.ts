import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fresh } from '../../../../test/services/index.ts';
import { migrate } from '../../src/index.ts';
import { application, sessionCookie, stranger, wrongRefusal } from './application.ts';
import { lineTo } from './line.ts';
import { type Desk, kinds } from './places.ts';
import { type Pool, type PoolSettings, poolOf } from './pools.ts';
import { tallyOf } from './tally.ts';

/** Time limit for a recovery. */
const soon = { timeout: 60_000 };

/** InnoDB refreshes its list of transactions only after 100 ms without a query. */
const slowly = { ...soon, interval: 150 };

describe.each(kinds.filter(({ isAvailable }) => isAvailable))('a pool of connections to $name', (kind) => {
  let fresh: Fresh;
  let desk: Desk;

  beforeAll(async () => {
    fresh = await (await kind.shared()).fresh();
    desk = await kind.desk(fresh.url);
    // A pool without a queue may be too small for the migration.
    await withPool({}, async ({ db }) => void (await migrate(db)));
  });

  afterAll(async () => {
    await desk.close();
    await fresh.drop();
  });

  async function withPool(settings: PoolSettings, work: (pool: Pool) => Promise<void>, url = fresh.url): Promise<void> {
    const pool = poolOf(kind.name, url, settings);
    try {
      await work(pool);
    } finally {
      await pool.close();
    }
  }

  it('with one connection serves many simultaneous requests', () =>
    withPool({ size: 1 }, async (pool) => {
      const app = application(pool.db);
      const browsers = Array.from({ length: 20 }, () => app.visitor());
      await Promise.all(browsers.map((browser) => app.signIn(browser, stranger())));
      const sessions = await Promise.all(browsers.map((browser) => app.session(browser)));
      expect(sessions.filter((one) => one === null)).toEqual([]);
      expect(app.logged()).toBe('');
    }));

  it('whose only connection is in use rejects, and works after its release', () =>
    withPool({ size: 1, hasty: true }, async (pool) => {
      const app = application(pool.db, { migrate: false });
      const [browser, user] = [app.visitor(), stranger()];
      await app.signIn(browser, user);
      const before = await tallyOf(desk);
      const release = await pool.take();
      expect(wrongRefusal(await app.signIn(app.visitor(), stranger()))).toBe('');
      expect(app.logged()).toMatch(/timeout exceeded when trying to connect|No connections available/);
      const looked = await browser.get('/auth/session');
      expect([looked.json(), looked.setCookies]).toEqual([null, []]);
      release();
      expect(await app.session(browser)).toMatchObject({ user: { email: user.email } });
      expect(await tallyOf(desk)).toEqual(before);
      const other = app.visitor();
      await app.signIn(other, stranger());
      expect(await app.session(other)).not.toBeNull();
    }));

  it('whose server does not answer gives up after the time limit of the application', async () => {
    const line = await lineTo(fresh.url);
    // Both drivers limit the time of connecting. Only pg limits the time of an answer: here outside and in a
    // transaction.
    const silences = kind.name === 'PostgreSQL' ? [0, 7] : [-1];
    for (const n of silences) {
      const work = async (pool: Pool): Promise<void> => {
        const app = application(pool.db, { migrate: false });
        const [browser, user] = [app.visitor(), stranger()];
        if (n >= 0) await app.signIn(browser, user);
        const before = await tallyOf(desk);
        line.breaksAt(n, 'silence');
        expect(wrongRefusal(await app.signIn(app.visitor(), stranger()))).toBe('');
        expect(line.isBroken).toBe(true);
        expect(app.logged()).toMatch(/timeout|ETIMEDOUT/);
        line.mend();
        expect(await tallyOf(desk)).toEqual(before);
        // This works at once, because a connection in an unknown state has not returned to the pool.
        expect((await app.signIn(browser, user)).cookie(sessionCookie)).toBeDefined();
        expect(await app.session(browser)).toMatchObject({ user: { email: user.email } });
        expect(await tallyOf(desk)).toMatchObject({ halves: 0 });
      };
      await withPool({ size: 1, hasty: true }, work, line.url);
    }
    await line.close();
  });

  it('whose idle connections are closed continues, and no session is lost', () =>
    withPool({ size: 3 }, async (pool) => {
      const app = application(pool.db);
      const [browser, user] = [app.visitor(), stranger()];
      await app.signIn(browser, user);
      for (let times = 0; times < 5; times++) {
        const looks = Array.from({ length: 10 }, () => browser.clone().get('/auth/session'));
        if (times % 2 > 0) await Promise.all(looks);
        const connections = await kind.others(desk);
        expect(connections.length).toBeGreaterThan(0);
        await kind.terminate(desk, connections);
        for (const look of await Promise.all(looks)) {
          expect(look.status).toBe(200);
          if (look.json() === null) expect(look.setCookies).toEqual([]);
          else expect(look.json()).toMatchObject({ user: { email: user.email } });
        }
        await expect.poll(() => app.session(browser), soon).toMatchObject({ user: { email: user.email } });
      }
    }));

  it('whose connection is closed in a transaction writes nothing', () =>
    withPool({ size: 2 }, async (pool) => {
      const app = application(pool.db);
      const [browser, user] = [app.visitor(), stranger()];
      await app.signIn(app.visitor(), stranger());
      const before = await tallyOf(desk);
      const holder = await kind.desk(fresh.url);
      // An insertion of the same account waits for the end of this transaction.
      await holder.run(
        `begin; insert into "auth_accounts" ("id", "provider", "providerAccountId") values ('x', 'fake', '${user.sub}')`,
      );
      const signingIn = app.signIn(browser, user);
      await expect.poll(() => kind.waiting(desk), slowly).toHaveLength(1);
      await kind.terminate(desk, await kind.waiting(desk));
      expect(wrongRefusal(await signingIn)).toBe('');
      expect(app.logged()).toMatch(
        /^OAuthCreateAccountError: .* <- AdapterError: .*createUserWithAccount.* <- \w*[eE]rror: /,
      );
      await holder.run('rollback');
      await holder.close();
      expect(await tallyOf(desk)).toEqual(before);
      expect((await app.signIn(browser, user)).cookie(sessionCookie)).toBeDefined();
      expect(await tallyOf(desk)).toEqual({ users: before.users + 1, sessions: before.sessions + 1, halves: 0 });
    }));
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fresh } from '../../../../test/services/index.ts';
import { type Application, application, sessionCookie, stranger, wrongRefusal } from './application.ts';
import { type Line, lineTo } from './line.ts';
import { type Desk, kinds } from './places.ts';
import { type Pool, poolOf } from './pools.ts';
import { tallyOf } from './tally.ts';

/** More than the number of questions of a sign-in. */
const MOST = 60;

/** Time limit for a recovery. */
const soon = { timeout: 60_000 };

describe.each(kinds.filter(({ isAvailable }) => isAvailable))('connections to $name break', (kind) => {
  let fresh: Fresh;
  let line: Line;
  let pool: Pool;
  let desk: Desk;
  let app: Application;

  beforeAll(async () => {
    fresh = await (await kind.shared()).fresh();
    line = await lineTo(fresh.url);
    pool = poolOf(kind.name, line.url);
    desk = await kind.desk(fresh.url);
    app = application(pool.db);
    await app.signIn(app.visitor(), stranger());
  });

  afterAll(async () => {
    line.mend();
    await pool.close();
    await line.close();
    await desk.close();
    await fresh.drop();
  });

  it.each(['question', 'answer'] as const)(
    'at any %s of a first sign-in: it is written completely or not at all, and the next attempt works',
    async (lost) => {
      let turnedAway = 0;
      for (let n = 0; ; n++) {
        const [browser, user, before] = [app.visitor(), stranger(), await tallyOf(desk)];
        const comingBack = await app.comesBack(browser, user);
        line.breaksAt(n, lost);
        const answer = await browser.get(comingBack, { site: 'cross-site' });
        line.mend();
        const { isBroken } = line;
        const now = await tallyOf(desk);
        const got = answer.cookie(sessionCookie) !== undefined;
        if (!got) {
          turnedAway++;
          expect(wrongRefusal(answer), `exchange ${n}`).toBe('');
          expect(app.logged()).toMatch(/failed/);
        }
        expect(now.halves, `exchange ${n}`).toBe(0);
        expect([0, 1]).toContain(now.users - before.users);
        if (got) expect(now.users - before.users, `exchange ${n}`).toBe(1);

        // The same visitor and application.
        const again = await app.signIn(browser, user);
        expect(again.cookie(sessionCookie), `exchange ${n}: ${again.location} ${app.logged()}`).toBeDefined();
        expect(await app.session(browser)).toMatchObject({ user: { email: user.email } });
        expect(await tallyOf(desk)).toMatchObject({ users: before.users + 1, halves: 0 });
        app.logged();
        if (!isBroken) break;
        expect(n).toBeLessThan(MOST);
      }
      expect(turnedAway).toBeGreaterThan(5);
    },
  );

  it.each(['question', 'answer'] as const)(
    'at any %s of a sign-in by someone who is signed in: that stays',
    async (lost) => {
      const [browser, user] = [app.visitor(), stranger()];
      await app.signIn(browser, user);
      for (let n = 0; ; n++) {
        const comingBack = await app.comesBack(browser, user);
        const had = browser.cookies.get(sessionCookie)?.value;
        line.breaksAt(n, lost);
        const answer = await browser.get(comingBack, { site: 'cross-site' });
        line.mend();
        if (!line.isBroken) break;
        expect(n).toBeLessThan(MOST);
        if (answer.cookie(sessionCookie)) continue;
        expect(wrongRefusal(answer), `exchange ${n}`).toBe('');
        expect(browser.cookies.get(sessionCookie)?.value).toBe(had);
        // The new session may replace the old one although the visitor did not receive its token.
        if (lost === 'question') await expect.poll(() => app.session(browser), soon).not.toBeNull();
        app.logged();
      }
      await expect.poll(() => app.session(browser), soon).toMatchObject({ user: { email: user.email } });
    },
  );

  it.each(['question', 'answer'] as const)('at any %s of a look at the session: the cookie stays', async (lost) => {
    // Each read extends the session, which is a write.
    const eager = application(pool.db, {}, { session: { updateAge: 0 } });
    const [browser, user] = [eager.visitor(), stranger()];
    await eager.signIn(browser, user);
    for (let n = 0; ; n++) {
      line.breaksAt(n, lost);
      const answer = await browser.get('/auth/session');
      line.mend();
      if (!line.isBroken) break;
      expect(n).toBeLessThan(MOST);
      expect(answer.status).toBe(200);
      expect(answer.json()).toBeNull();
      expect(answer.setCookies).toEqual([]);
      expect(eager.logged()).toMatch(/^SessionTokenError: .* <- AdapterError: .* <- Error: \S+/);
      // The pool may still have another broken connection, and notice it later.
      await expect.poll(() => eager.session(browser), soon).toMatchObject({ user: { email: user.email } });
    }
  });

  it('at any question of a sign-out: the next attempt signs out', async () => {
    for (let n = 0; ; n++) {
      const browser = app.visitor();
      await app.signIn(browser, stranger());
      line.breaksAt(n, 'question');
      await app.signOut(browser);
      line.mend();
      if (!line.isBroken) break;
      expect(n).toBeLessThan(MOST);
      expect(app.logged()).toMatch(/^SignOutError/);
      expect(browser.cookies.get(sessionCookie)).toBeUndefined();
    }
  });
});

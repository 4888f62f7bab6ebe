import { describe, expect, it } from 'vitest';
import { fixture } from './fixture.ts';
import { gate, isWithoutBrowser, soon } from './visit.ts';

const ada = { user: { name: 'Ada' }, expires: new Date(Date.now() + 1e9).toISOString() };

describe.skipIf(isWithoutBrowser)('the session in the browser', () => {
  const at = fixture();

  describe('requests', () => {
    it.each([false, true])(
      'once, however often a tree is mounted on a slow network (StrictMode: %s)',
      async (strict) => {
        await at.signIn('Ada');
        const slow = gate();
        at.site.disturb('session', slow.closed);
        const tab = await at.open({ scene: { provider: {}, strict } });
        for (let times = 0; times < 8; times++) {
          await tab.sees('loading: ?');
          await tab.run('app.show({ provider: undefined })');
          await tab.page.locator('#who').waitFor({ state: 'detached' });
          await tab.show({ provider: {} });
        }
        slow.open();
        await tab.sees('authenticated: Ada');
        await tab.run('app.show({ provider: undefined })');
        await tab.page.locator('#who').waitFor({ state: 'detached' });
        await tab.show({ provider: {} });
        await tab.sees('authenticated: Ada');
        expect(at.asked()).toEqual(['GET session']);
        expect(tab.complaints).toEqual([]);
      },
    );

    it('not at all if the server has rendered the page with it', async () => {
      await at.signIn('Ada');
      const tab = await at.open({ scene: { provider: { session: ada } }, rendered: true });
      await tab.sees('authenticated: Ada');
      await tab.show({ page: 'About' });
      await tab.page.getByRole('heading', { name: 'About' }).waitFor();
      expect(await tab.run('app.history')).toEqual(['authenticated: Ada']);
      expect(at.site.requests).toEqual([]);
      expect(tab.complaints).toEqual([]);
    });

    it('not at all if the server has rendered the page without a session', async () => {
      const tab = await at.open({ scene: { provider: { session: null } }, rendered: true });
      await tab.sees('unauthenticated: no user');
      await tab.show({ page: 'About' });
      await tab.page.getByRole('heading', { name: 'About' }).waitFor();
      expect(await tab.run('app.history')).toEqual(['unauthenticated: no user']);
      expect(at.site.requests).toEqual([]);
    });

    it('once without a revision, as with sessions of Auth.js v5', async () => {
      at.site.hasRevision = false;
      await at.signIn('Ada');
      const tab = await at.open();
      await tab.sees('authenticated: Ada');
      for (const page of ['About', 'Home', 'About'] as const) {
        await tab.show({ page });
        await tab.page.getByRole('heading', { name: page }).waitFor();
      }
      at.site.hasRevision = true;
      expect(at.asked()).toEqual(['GET session']);
    });

    it('twice for `getSession`, if it has changed meanwhile', async () => {
      const slow = gate();
      at.site.disturb('session', slow.closed);
      const tab = await at.open({ scene: {} });
      const session = tab.run('app.getSession()');
      await soon(() => at.site.requests).toEqual(['GET session']);
      await tab.act('sign-in?name=Ada');
      slow.open();
      expect(await session).toMatchObject({ user: { name: 'Ada' } });
      expect(at.asked()).toHaveLength(2);
    });

    it('twice for components, if it has changed meanwhile', async () => {
      const slow = gate();
      at.site.disturb('session', slow.closed);
      const tab = await at.open();
      await soon(() => at.site.requests).toEqual(['GET session']);
      await tab.act('sign-in?name=Ada');
      slow.open();
      await tab.sees('authenticated: Ada');
      expect(at.asked()).toHaveLength(2);
      expect(await tab.run('app.history')).toEqual(['loading: ?', 'authenticated: Ada']);
    });
  });

  it('shows a change by a server action at once, in a browser with a cookie store', async () => {
    const tab = await at.open();
    await tab.sees('unauthenticated: no user');
    await tab.act('sign-in?name=Ada');
    await tab.sees('authenticated: Ada');
    await tab.act('sign-out');
    await tab.sees('unauthenticated: no user');
  });

  // Browsers without a cookie store notice a change at the next navigation inside the page.
  describe.each([
    ['with', ''],
    ['without', 'delete window.cookieStore'],
  ])('%s a cookie store', (_, before) => {
    it('shows a change by a server action at the next navigation, without a reload', async () => {
      const tab = await at.open({ before });
      await tab.sees('unauthenticated: no user');
      await tab.act('sign-in?name=Ada');
      await tab.show({ page: 'Member' });
      await tab.sees('authenticated: Ada');
      expect(await tab.page.locator('#member').innerText()).toBe('secret of Ada');
      expect(at.asked()).toHaveLength(2);
      await tab.show({ page: 'Home' });
      await tab.act('sign-out');
      await tab.show({ page: 'About' });
      await tab.sees('unauthenticated: no user');
      expect(at.asked()).toHaveLength(3);
      expect(tab.complaints).toEqual([]);
    });

    it('shows in each tab a change in another, with one request', async () => {
      const [one, two] = [await at.open({ before }), await at.open({ before })];
      for (const tab of [one, two]) await tab.sees('unauthenticated: no user');
      at.site.requests.length = 0;
      await one.run(`app.signIn('credentials', { name: 'Ada', password: 'password', redirect: false })`);
      for (const tab of [one, two]) await tab.sees('authenticated: Ada');
      expect(at.asked()).toEqual(['GET session', 'GET session']);
      await one.run(`app.update({ name: 'Countess' })`);
      for (const tab of [one, two]) await tab.sees('authenticated: Countess');
      expect(at.asked().slice(2)).toEqual(['POST session', 'GET session']);
      await two.run('app.signOut({ redirect: false })');
      for (const tab of [one, two]) await tab.sees('unauthenticated: no user');
      expect(at.asked().slice(4)).toEqual(['GET session', 'GET session']);
      expect([...one.complaints, ...two.complaints]).toEqual([]);
    });
  });
});

import { describe, expect, it } from 'vitest';
import { fixture } from './fixture.ts';
import { gate, isWithoutBrowser, soon } from './visit.ts';

const sessionOf = (name: string) => ({ user: { name }, expires: new Date(Date.now() + 1e9).toISOString() });

describe.skipIf(isWithoutBrowser)('changes of the session', () => {
  const at = fixture(true);

  describe('brought by the server as a new `session`', () => {
    it('are shown with the next content of the page', async () => {
      const tab = await at.open({ scene: { provider: { session: null } }, rendered: true });
      const session = await tab.act('sign-in?name=Ada');
      await tab.run(`app.show({ page: 'About', provider: { session: ${JSON.stringify(session)} } })`);
      await tab.sees('authenticated: Ada');
      await tab.act('sign-out');
      await tab.run('app.show({ provider: { session: null } })');
      await tab.sees('unauthenticated: no user');
      expect(at.asked().length).toBeLessThanOrEqual(2);
    });

    it('do not come back with the same content, however often it is rendered', async () => {
      await at.signIn('Ada');
      const ada = JSON.stringify(sessionOf('Ada'));
      const tab = await at.open({ scene: { provider: { session: JSON.parse(ada) } }, rendered: true });
      await tab.run(`app.update({ name: 'Countess' })`);
      await tab.sees('authenticated: Countess');
      await tab.run(`app.show({ page: 'About', provider: { session: ${ada} } })`);
      await tab.page.getByRole('heading', { name: 'About' }).waitFor();
      expect(await tab.who()).toBe('authenticated: Countess');
      expect(at.asked()).toEqual(['POST session']);
    });

    it('do not come back with content that the router has kept', async () => {
      await at.signIn('Ada');
      const tab = await at.open();
      await tab.sees('authenticated: Ada');
      await tab.run(`void (globalThis.kept = ${JSON.stringify(sessionOf('Kept'))})`);
      await tab.run('app.show({ provider: { session: kept } })');
      await tab.sees('authenticated: Kept');
      await tab.run('app.signOut({ redirect: false })');
      await tab.run('app.show({ provider: { session: null } })');
      await tab.sees('unauthenticated: no user');
      const asked = at.asked().length;
      await tab.run(`app.show({ page: 'About', provider: { session: kept } })`);
      await tab.page.getByRole('heading', { name: 'About' }).waitFor();
      await tab.run('app.getProviders()');
      expect(await tab.who()).toBe('unauthenticated: no user');
      expect(at.asked()).toHaveLength(asked);
    });

    it('are checked where they contradict what is known since', async () => {
      await at.signIn('Ada');
      const tab = await at.open();
      await tab.sees('authenticated: Ada');
      await tab.run('app.signOut({ redirect: false })');
      await tab.sees('unauthenticated: no user');
      const asked = at.asked().length;
      await tab.run(`app.show({ page: 'About', provider: { session: ${JSON.stringify(sessionOf('Old'))} } })`);
      await soon(() => at.asked().length).toBe(asked + 1);
      await tab.sees('unauthenticated: no user');
      expect((await tab.run<string[]>('app.history')).join()).not.toContain('Old');
    });
  });

  it('are announced in the format of Auth.js v5, which is understood, too', async () => {
    at.site.hasRevision = false;
    const tab = await at.open();
    await tab.sees('unauthenticated: no user');
    const other = await at.profile.newPage();
    await other.goto(`${at.site.origin}/app.js`);
    await other.evaluate(`
      globalThis.heard = [];
      globalThis.channel = new BroadcastChannel('next-auth');
      channel.onmessage = ({ data }) => heard.push(data);
    `);
    await at.signIn('Ada');
    await other.evaluate(`channel.postMessage({ event: 'session', data: { trigger: 'getSession' } })`);
    await tab.sees('authenticated: Ada');
    await tab.run('app.signOut({ redirect: false })');
    await tab.sees('unauthenticated: no user');
    at.site.hasRevision = true;
    await soon(() => other.evaluate('heard')).toEqual([{ event: 'session', data: { trigger: 'signout' } }]);
  });

  it('are seen when a page comes back from the history', async () => {
    const before = `delete window.cookieStore;
      window.BroadcastChannel = class extends EventTarget {};
      addEventListener('pageshow', ({ persisted }) => { globalThis.isBack = persisted; });`;
    const tab = await at.open({ before });
    await tab.sees('unauthenticated: no user');
    await tab.page.goto(`${at.site.origin}/app.js`);
    await at.signIn('Ada');
    await tab.page.goBack({ waitUntil: 'commit' });
    await tab.sees('authenticated: Ada');
    expect(await tab.run('globalThis.isBack')).toBe(true);
  });

  it('on other devices are seen when the tab comes to the front, after a while', async () => {
    await at.signIn('Ada');
    const tab = await at.open();
    await tab.sees('authenticated: Ada');
    const front = `Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`;
    await tab.run(front);
    await tab.run('app.__NEXTAUTH._lastSync -= 61');
    expect(at.asked()).toHaveLength(1);
    await at.profile.clearCookies({ name: 'authjs.session-token' });
    await tab.run(front);
    await tab.sees('unauthenticated: no user');
    await tab.run('app.__NEXTAUTH._lastSync -= 61');
    await tab.run(front);
    expect(at.asked()).toHaveLength(2);
  });

  it('on other devices are not looked for with `refetchOnWindowFocus: false`', async () => {
    await at.signIn('Ada');
    const tab = await at.open({ scene: { provider: { refetchOnWindowFocus: false } } });
    await tab.sees('authenticated: Ada');
    await tab.run('app.__NEXTAUTH._lastSync -= 61');
    await tab.run(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    await tab.show({ page: 'About' });
    await tab.page.getByRole('heading', { name: 'About' }).waitFor();
    expect(at.asked()).toHaveLength(1);
  });

  it('are looked for at intervals, where there is a session and a network', async () => {
    await at.signIn('Ada');
    const scene = { provider: { refetchInterval: 0.05, refetchWhenOffline: false } } as const;
    const tab = await at.open({ scene });
    await soon(() => at.asked().length).toBeGreaterThan(3);
    await tab.run(
      `void Object.defineProperty(navigator, 'onLine', { get: () => { globalThis.polled = (globalThis.polled ?? 0) + 1; return false; } })`,
    );
    await soon(() => tab.run('globalThis.polled')).toBeGreaterThan(1);
    const asked = at.asked().length;
    await soon(() => tab.run('globalThis.polled')).toBeGreaterThan(4);
    expect(at.asked()).toHaveLength(asked);
    await tab.show({ provider: { refetchInterval: 0.05 } });
    await soon(() => at.asked().length).toBeGreaterThan(asked);
    await tab.run('app.signOut({ redirect: false })');
    await tab.sees('unauthenticated: no user');
    expect(tab.complaints).toEqual([]);
  });

  describe('when the server fails', () => {
    it.each(['drop', 'fail', 'page'] as const)('are not shown (%s), and are requested again', async (fault) => {
      await at.signIn('Ada');
      const tab = await at.open();
      await tab.sees('authenticated: Ada');
      const slow = gate();
      at.site.disturb('session', fault, slow.closed);
      await tab.act('sign-out');
      await tab.show({ page: 'About' });
      // The second request is the one after the failure.
      await soon(() => at.asked().length).toBe(3);
      expect(await tab.who()).toBe('authenticated: Ada');
      slow.open();
      await tab.sees('unauthenticated: no user');
      expect(tab.complaints.join()).toContain('ClientFetchError');
    });

    it('an unknown session is not shown as signed out', async () => {
      await at.signIn('Ada');
      at.site.disturb('session', 'fail', 'drop');
      const tab = await at.open({ scene: { provider: {}, page: 'Member' } });
      await tab.sees('authenticated: Ada');
      expect(await tab.run('app.history')).toEqual(['loading: ?', 'authenticated: Ada']);
    });

    it('the session is asked for at once when the network is back', async () => {
      // Time alone brings nothing here.
      const before = 'const start = setTimeout; window.setTimeout = (run, wait) => wait < 1000 && start(run, wait);';
      const tab = await at.open({ before });
      await tab.sees('unauthenticated: no user');
      await tab.act('sign-in?name=Ada');
      await tab.sees('authenticated: Ada');
      await at.profile.setOffline(true);
      await tab.run(`void (document.cookie = 'authjs.revision=other')`);
      await tab.show({ page: 'About' });
      await soon(() => tab.complaints.join()).toContain('ClientFetchError');
      expect(await tab.who()).toBe('authenticated: Ada');
      const asked = at.asked().length;
      await at.profile.setOffline(false);
      await soon(() => at.asked().length).toBe(asked + 1);
      expect(await tab.who()).toBe('authenticated: Ada');
    });
  });
});

import type { AdapterSession } from '@latchkey/core/adapters';
import type { MemoryStore } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { heardAdapter } from '../peers/heard-adapter.ts';
import { latchkey, peer } from '../peers/libraries.ts';
import { crossings, makeSite, type Site, type SiteOptions } from './servers.ts';

async function signedIn(site: Site): Promise<void> {
  await site.comeBack(await site.begin());
}

const ada = { name: 'Ada Lovelace', email: 'ada@example.com', image: 'https://idp.test/ada.png' };

/** With database sessions. */
function withStore(options: SiteOptions = {}): { site: Site; store: MemoryStore } {
  const { adapter, store } = heardAdapter();
  return { site: makeSite({ ...options, config: { adapter, ...options.config } }), store };
}

describe.each(crossings)('a session $title', ({ from, to }) => {
  it('shows the same', async () => {
    const site = makeSite();
    site.use(from);
    await signedIn(site);
    const before = await site.session();
    site.use(to);
    const { expires: _, ...after } = (await site.session()) ?? {};
    expect(before).toMatchObject(after);
    expect(after).toEqual({ user: ada });
  });

  it('keeps the claims of the application', async () => {
    const callbacks = {
      jwt: ({ token, user }: { token: object; user?: { id: string } }) =>
        user ? { ...token, role: 'admin', groups: ['a', 'b'] } : token,
      session: ({ session, token }: { session: object; token: Record<string, unknown> }) => ({
        ...session,
        role: token['role'],
        groups: token['groups'],
      }),
    };
    const site = makeSite({ config: { callbacks } });
    site.use(from);
    await signedIn(site);
    site.use(to);
    for (let reads = 0; reads < 2; reads++) {
      expect(await site.session()).toMatchObject({ user: ada, role: 'admin', groups: ['a', 'b'] });
    }
  });

  it('is updated and ended', async () => {
    const callbacks = {
      jwt: ({ token, trigger, session }: { token: object; trigger?: string; session?: object }) =>
        trigger === 'update' ? { ...token, ...session } : token,
    };
    const site = makeSite({ config: { callbacks } });
    site.use(from);
    await signedIn(site);
    site.use(to);
    const csrfToken = await site.csrfToken();
    await site.browser.post('/auth/session', { csrfToken, data: { name: 'Countess' } }, { json: true });
    site.use(from);
    expect(await site.session()).toMatchObject({ user: { name: 'Countess' } });
    site.use(to);
    const out = await site.browser.post('/auth/signout', { csrfToken });
    expect(out.location).toBe('http://localhost:3000/inside');
    site.use(from);
    expect(await site.session()).toBeNull();
  });

  it('that needs several cookies is read, shortened and lengthened', async () => {
    const size = { now: 9000 };
    const callbacks = { jwt: ({ token }: { token: object }) => ({ ...token, filler: 'x'.repeat(size.now) }) };
    const site = makeSite({ config: { callbacks } });
    site.use(from);
    await signedIn(site);
    const name = 'authjs.session-token';
    const names = (): string[] =>
      site.browser.cookies
        .all()
        .map((cookie) => cookie.name)
        .filter((cookie) => cookie.startsWith(name))
        .sort();
    expect(names()).toEqual([0, 1, 2, 3].map((index) => `${name}.${index}`));
    size.now = 4500;
    site.use(to);
    expect(await site.session()).toMatchObject({ user: ada });
    expect(names()).toEqual([`${name}.0`, `${name}.1`]);
    expect(site.browser.cookies.get(`${name}.0`)?.value).toHaveLength(3936);
    size.now = 10;
    expect(await site.session()).toMatchObject({ user: ada });
    expect(names()).toEqual([name]);
    size.now = 6000;
    site.use(from);
    expect(await site.session()).toMatchObject({ user: ada });
    site.use(to);
    expect(await site.session()).toMatchObject({ user: ada });
    expect(names()).toEqual([0, 1, 2].map((index) => `${name}.${index}`));
    await site.browser.post('/auth/signout', { csrfToken: await site.csrfToken() });
    expect(names()).toEqual([]);
  });

  it('in the store is read, extended and ended', async () => {
    const { site, store } = withStore();
    site.use(from);
    await signedIn(site);
    const [token] = store.sessions.keys();
    expect(site.browser.cookies.get('authjs.session-token')?.value).toBe(token);
    site.use(to);
    expect(await site.session()).toMatchObject({ user: ada });
    const soon = new Date(Date.now() + 60_000);
    const row = store.sessions.get(String(token)) as AdapterSession;
    store.sessions.set(String(token), { ...row, expires: soon });
    expect(await site.session()).toMatchObject({ user: ada });
    expect(Number(store.sessions.get(String(token))?.expires)).toBeGreaterThan(soon.getTime());
    site.use(from);
    expect(await site.session()).toMatchObject({ user: ada });
    site.use(to);
    await site.browser.post('/auth/signout', { csrfToken: await site.csrfToken() });
    expect(store.sessions.size).toBe(0);
    site.use(from);
    expect(await site.session()).toBeNull();
  });

  it('in the store finds the user and the account that the other has written', async () => {
    const { site, store } = withStore();
    site.use(from);
    await signedIn(site);
    await site.browser.post('/auth/signout', { csrfToken: await site.csrfToken() });
    site.use(to);
    await signedIn(site);
    expect(await site.session()).toMatchObject({ user: ada });
    expect(store.users.size).toBe(1);
    expect(store.accounts.size).toBe(1);
  });

  it('in a token, with users in the store, belongs to the same user', async () => {
    const { site, store } = withStore({ config: { session: { strategy: 'jwt' } } });
    site.use(from);
    await signedIn(site);
    site.use(to);
    expect(await site.session()).toMatchObject({ user: ada });
    await signedIn(site);
    expect(store.users.size).toBe(1);
  });
});

describe('a rolling change of servers', () => {
  it('keeps a visitor signed in while requests fall on either server in turn', async () => {
    const site = makeSite();
    await signedIn(site);
    for (let turn = 0; turn < 6; turn++) {
      site.use(turn % 2 ? latchkey : peer);
      expect(await site.session()).toMatchObject({ user: ada });
    }
  });

  it('finishes sign-ins that the other library began, in turn', async () => {
    const { site, store } = withStore();
    for (const [begins, finishes] of [
      [peer, latchkey],
      [latchkey, peer],
      [latchkey, latchkey],
      [peer, latchkey],
    ] as const) {
      site.use(begins);
      const redirect = await site.begin();
      site.use(finishes);
      expect((await site.comeBack(redirect)).location).toBe('http://localhost:3000/inside');
      expect(await site.session()).toMatchObject({ user: ada });
    }
    expect(store.users.size).toBe(1);
    expect(site.browser.rejected).toEqual([]);
  });
});

import { memoryAdapter } from '@latchkey/testing';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { signedIn } from './kit/journey.ts';
import { config, logged, play } from './kit/scene.ts';
import { app, type Kit, shown, startKit } from './kit/server.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit(app);
});
beforeEach(() => play(config()));

const SESSION = 'authjs.session-token';
const ada = { user: { name: 'Ada', email: 'ada@example.com' } };

describe('event.locals.auth()', () => {
  it('is the session, or null if the visitor is not signed in', async () => {
    const browser = kit.browser();
    expect(shown(await browser.get('/shop/'))).toMatchObject({ session: null });
    await signedIn(browser);
    expect(shown(await browser.get('/shop/'))).toMatchObject({ session: ada, shared: false });
  });

  it('reads once per request', async () => {
    const session = vi.fn(({ session }) => session);
    play(config({ callbacks: { session } }));
    const browser = await signedIn(kit.browser());
    session.mockClear();
    await browser.get('/shop/');
    expect(session).toHaveBeenCalledTimes(1);
  });

  it('does not renew the cookie before it is due', async () => {
    const browser = await signedIn(kit.browser());
    expect((await browser.get('/shop/')).setCookies).toEqual([]);
  });

  it('renews the cookie when it is due', async () => {
    play(config({ session: { updateAge: 0 } }));
    const browser = await signedIn(kit.browser());
    const page = await browser.get('/shop/');
    expect(page.setCookies.map(({ name }) => name)).toEqual([SESSION]);
    expect(page.cookie(SESSION)).toMatchObject({ path: '/', httpOnly: true, sameSite: 'Lax', secure: false });
    expect(browser.rejected).toEqual([]);
  });

  it('moves the cookie to the prefix __Host- before it is due', async () => {
    const secure = { useSecureCookies: true } as const;
    play(config(secure));
    const browser = kit.browser();
    await browser.post('/shop/signin?/plain', { providerId: 'credentials', password: 'right' });
    const migrate = { from: new Date('2026-01-01'), until: new Date('9999-01-01') };
    play(config({ ...secure, cookies: { prefix: '__Host-', migrate } }));
    const page = await browser.get('/shop/');
    expect(shown(page)).toMatchObject({ session: ada });
    expect(page.setCookies.map(({ name, value }) => [name, value !== ''])).toEqual([
      [`__Secure-${SESSION}`, false],
      [`__Host-${SESSION}`, true],
    ]);
    expect(shown(await browser.get('/shop/'))).toMatchObject({ session: ada });
    expect(browser.rejected).toEqual([]);
  });

  it('works in requests of a page, and in streamed pages', async () => {
    const browser = await signedIn(kit.browser());
    const text = (await browser.get('/shop/stream')).text();
    expect(text.match(/Ada/g)?.length).toBeGreaterThan(1);
    expect(logged).toEqual([]);
    const signedOut = (await kit.browser().get('/shop/stream')).text();
    expect(signedOut).not.toContain('Ada');
  });

  it('is not in shared caches by a page that reads it late, or by a request of its own', async () => {
    play(config({ session: { updateAge: 0 } }));
    const browser = await signedIn(kit.browser());
    const streamed = await browser.get('/shop/stream');
    expect([streamed.headers.get('cache-control'), streamed.cookie(SESSION)]).toEqual([
      'private, no-store',
      expect.objectContaining({ httpOnly: true }),
    ]);
    const shared = await browser.get('/shop/shared');
    expect([shared.headers.get('cache-control'), shared.setCookies]).toEqual(['public, max-age=60', []]);
  });

  it('is null while Kit prerenders', async () => {
    expect(kit.prerendered('prerendered')).toContain('{"session":null,"sessions":[]}');
  });
});

describe('a configuration that is a function', () => {
  it('is given the event, once per request', async () => {
    const make = vi.fn((event: { params: object; platform: unknown }) =>
      config({ pages: { signIn: `/${event.params}` } }),
    );
    play(make);
    await kit.browser().get('/shop/');
    expect(make).toHaveBeenCalledTimes(1);
    expect(make.mock.calls[0]?.[0]).toMatchObject({ params: {}, route: { id: '/' }, platform: {} });
  });

  it('may answer later', async () => {
    play(async () => config());
    const browser = await signedIn(kit.browser());
    expect(shown(await browser.get('/shop/'))).toMatchObject({ session: ada });
  });
});

/** Failures after which a signed-in visitor must not pass, with the status of the answer. */
const shut: [name: string, break_: () => void, status: number][] = [
  ['the configuration has no secret', () => play(config({ secret: undefined })), 500],
  ['the host is not to be trusted', () => play(config({ trustHost: false })), 500],
  ['the configuration has no providers', () => play({ ...config(), providers: undefined as never }), 500],
  [
    'the configuration throws',
    () =>
      play(() => {
        throw new Error('no vault');
      }),
    500,
  ],
  ['the secret is another one', () => play(config({ secret: 'another-secret-of-more-than-32-characters-1234' })), 303],
  ['callbacks.jwt throws', () => play(config({ callbacks: { jwt: fail } })), 303],
  ['callbacks.session throws', () => play(config({ callbacks: { session: fail } })), 303],
  ['callbacks.session returns nothing', () => play(config({ callbacks: { session: () => null as never } })), 303],
  ['the store is down', () => play(config({ adapter: down(), session: { strategy: 'database' }, providers: [] })), 303],
];

function fail(): never {
  throw new Error('broken');
}

function down() {
  const adapter = memoryAdapter();
  adapter.fail('getSessionAndUser');
  return adapter;
}

describe('a protected page refuses a visitor', () => {
  it.each(shut)('when %s', async (_name, break_, status) => {
    const browser = await signedIn(kit.browser());
    expect((await browser.get('/shop/private')).status).toBe(200);
    break_();
    const page = await browser.get('/shop/private');
    expect(page.status).toBe(status);
    expect(page.text()).not.toContain('Ada');
    expect(page.text()).not.toMatch(/at .*\.js|secret/);
  });
});

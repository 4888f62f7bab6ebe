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

type Jwt = NonNullable<NonNullable<ReturnType<typeof config>['callbacks']>['jwt']>;

const SESSION = 'authjs.session-token';
const ada = { user: { name: 'Ada', email: 'ada@example.com' } };

describe('event.locals.auth()', () => {
  it('is null for somebody who is not signed in, and the session for somebody who is', async () => {
    const browser = kit.browser();
    expect(shown(await browser.get('/shop/'))).toMatchObject({ session: null });
    await signedIn(browser);
    expect(shown(await browser.get('/shop/'))).toMatchObject({ session: ada, same: true });
  });

  it('reads once per request, however often and wherever it is asked', async () => {
    const session = vi.fn(({ session }) => session);
    play(config({ callbacks: { session } }));
    const browser = await signedIn(kit.browser());
    session.mockClear();
    await browser.get('/shop/');
    expect(session).toHaveBeenCalledTimes(1);
  });

  it('leaves the cookie alone until it is due', async () => {
    const browser = await signedIn(kit.browser());
    expect((await browser.get('/shop/')).setCookies).toEqual([]);
  });

  it('sets the cookie when callbacks.jwt has changed what is in it', async () => {
    const jwt: Jwt = ({ token, user }) => (user ? token : { ...token, visits: Number(token['visits'] ?? 0) + 1 });
    play(config({ callbacks: { jwt } }));
    const browser = await signedIn(kit.browser());
    expect((await browser.get('/shop/')).setCookies.map(({ name }) => name)).toEqual([SESSION]);
  });

  it('re-issues the cookie on the page that asks when it is due', async () => {
    play(config({ session: { updateAge: 0 } }));
    const browser = await signedIn(kit.browser());
    const page = await browser.get('/shop/');
    expect(page.setCookies.map(({ name }) => name)).toEqual([SESSION]);
    expect(page.cookie(SESSION)).toMatchObject({ path: '/', httpOnly: true, sameSite: 'Lax', secure: false });
    expect(browser.rejected).toEqual([]);
  });

  it('extends a stored session where that is due', async () => {
    const adapter = memoryAdapter();
    const user = await adapter.createUser({ id: '', name: 'Ada', email: 'ada@example.com', emailVerified: null });
    const expires = new Date(Date.now() + 60_000);
    await adapter.createSession({ sessionToken: 'of-ada', userId: user.id, expires });
    play(config({ adapter, session: { strategy: 'database' }, providers: [] }));
    const browser = kit.browser();
    browser.cookies.set(SESSION, 'of-ada');
    const page = await browser.get('/shop/');
    expect(page.cookie(SESSION)?.value).toBe('of-ada');
    expect(adapter.calls.map(({ method }) => method)).toContain('extendSession');
  });

  it('answers requests that a page makes itself, and pages whose answer is on its way already', async () => {
    const browser = await signedIn(kit.browser());
    const text = (await browser.get('/shop/stream')).text();
    expect(text.match(/Ada/g)?.length).toBeGreaterThan(1);
    expect(logged).toEqual([]);
    const nobody = (await kit.browser().get('/shop/stream')).text();
    expect(nobody).not.toContain('Ada');
  });

  it('takes a cookie that cannot be read for nobody', async () => {
    const browser = kit.browser();
    browser.cookies.set(SESSION, 'forged');
    expect(shown(await browser.get('/shop/'))).toMatchObject({ session: null });
  });

  it('belongs to nobody while Kit prerenders', async () => {
    expect(kit.prerendered('prerendered')).toContain('{"session":null}');
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

/** Everything that shuts the door, for somebody who was signed in before. */
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

describe('a protected page stays shut', () => {
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

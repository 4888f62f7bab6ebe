import { memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { decode, encode } from '../../src/jwt.ts';
import Credentials from '../../src/providers/credentials.ts';
import Passkey from '../../src/providers/passkey.ts';
import type { AuthConfig, CallbacksOptions } from '../../src/types/config.ts';
import type { JWT } from '../../src/types/session.ts';
import { type Door, oneDoor } from './doors.ts';
import { fakeProvider, noting, oidc, oidcScene, type Scene, SECRET, scene, sessionCookies } from './scene.ts';

const NAME = 'authjs.session-token';

async function signedIn(door: Door, config: Partial<AuthConfig> = {}): Promise<Scene> {
  const { app, fake } = oidcScene(door, {}, { ...config });
  await app.signIn(fake);
  expect(sessionCookies(app.browser)).not.toEqual([]);
  return app;
}

function tokenOf(app: Scene): string {
  return app.browser.cookies.get(NAME)?.value ?? '';
}

describe.each(oneDoor)('a JWT session through $name', (door) => {
  it('is null without a cookie; nothing is logged and no session cookie is set', async () => {
    const app = scene(door, {});
    const page = await app.browser.get('/auth/session');
    expect(page.json()).toBeNull();
    expect(page.status).toBe(200);
    expect(page.cookie(NAME)).toBeUndefined();
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'private, no-cache, no-store',
      expires: '0',
      pragma: 'no-cache',
    });
    expect(app.log.errors).toEqual([]);
  });

  it('is issued again with each read: same `sid`, later expiry, another token', async () => {
    const app = await signedIn(door, { session: { maxAge: 600 } });
    const before = tokenOf(app);
    const old = await decode({ token: before, secret: SECRET, salt: NAME });
    app.clock.advance(300);
    const page = await app.browser.get('/auth/session');
    const fresh = await decode({ token: tokenOf(app), secret: SECRET, salt: NAME });
    expect(tokenOf(app)).not.toBe(before);
    expect(fresh?.sid).toEqual(expect.any(String));
    expect(fresh?.sid).toBe(old?.sid);
    expect(fresh?.jti).not.toBe(old?.jti);
    expect((fresh?.exp ?? 0) - (old?.exp ?? 0)).toBe(300);
    expect(page.cookie(NAME)).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', secure: false });
    expect(page.json<{ expires: string }>().expires).toBe(new Date(app.clock.now().getTime() + 600_000).toISOString());
    expect(Math.floor((page.cookie(NAME)?.expires?.getTime() ?? 0) / 1000)).toBe(
      Math.floor(app.clock.now().getTime() / 1000) + 600,
    );
  });

  it('ends if it has not been read for `maxAge`, and its cookie is cleared', async () => {
    const app = await signedIn(door, { session: { maxAge: 600 } });
    const token = tokenOf(app);
    app.clock.advance(616);
    expect(app.browser.cookies.has(NAME)).toBe(false);
    app.browser.cookies.set(NAME, token);
    const page = await app.browser.get('/auth/session');
    expect(page.json()).toBeNull();
    expect(page.cookie(NAME)).toMatchObject({ value: '', maxAge: 0 });
    expect(app.log.types()).toEqual(['JWTSessionError']);
  });

  it('ends with its token if `jwt.maxAge` is shorter than `session.maxAge`', async () => {
    const app = await signedIn(door, { session: { maxAge: 6000 }, jwt: { maxAge: 60 } });
    app.clock.advance(80);
    expect(app.browser.cookies.has(NAME)).toBe(true);
    expect(await app.session()).toBeNull();
  });

  it.each([
    ['garbage', 'garbage'],
    ['five empty parts', '....'],
    ['an unsigned JWT', `${btoa('{"alg":"none"}')}.${btoa('{"sub":"victim"}')}.`],
  ])('of %s is ignored, and its cookie is cleared', async (_, value) => {
    const app = scene(door, {});
    app.browser.cookies.set(NAME, value);
    expect(await app.session()).toBeNull();
    expect(sessionCookies(app.browser)).toEqual([]);
  });

  it.each([
    ['another salt', { salt: 'authjs.state', secret: SECRET }],
    ['the salt of https', { salt: `__Secure-${NAME}`, secret: SECRET }],
    ['another secret', { salt: NAME, secret: 'another-secret-of-more-than-32-characters' }],
  ])('sealed with %s is ignored', async (_, how) => {
    const app = scene(door, {});
    app.browser.cookies.set(NAME, await encode({ token: { sub: 'victim' }, ...how }));
    expect(await app.session()).toBeNull();
    expect(sessionCookies(app.browser)).toEqual([]);
  });

  it('shows the result of the callbacks, which get the arguments of Auth.js v5', async () => {
    const calls: unknown[][] = [];
    const app = await signedIn(door, {
      callbacks: {
        jwt: (params) => {
          calls.push(['jwt', params]);
          return { ...params.token, role: 'admin' };
        },
        session: (params) => {
          calls.push(['session', params]);
          return { ...params.session, role: params.token.role };
        },
      },
      events: { session: (message) => void calls.push(['event', message]) },
    });
    expect(calls).toEqual([
      [
        'jwt',
        {
          token: {
            name: 'Ada Lovelace',
            email: 'ada@example.com',
            picture: 'https://idp.test/ada.png',
            sub: expect.any(String),
          },
          user: expect.objectContaining({ email: 'ada@example.com' }),
          account: expect.objectContaining({ provider: 'fake', access_token: expect.any(String) }),
          profile: expect.objectContaining({ sub: 'ada-1815' }),
          isNewUser: undefined,
          trigger: 'signIn',
        },
      ],
    ]);
    calls.length = 0;
    expect(await app.session()).toMatchObject({ role: 'admin', user: { name: 'Ada Lovelace' } });
    const [jwt, session, event] = calls as [['jwt', object], ['session', object], ['event', object]];
    expect(jwt[1]).toEqual({
      token: expect.objectContaining({ role: 'admin', iat: expect.any(Number) }),
      session: undefined,
    });
    expect(jwt[1]).toHaveProperty('session');
    expect(jwt[1]).not.toHaveProperty('trigger');
    expect(session[1]).toEqual({
      session: expect.any(Object),
      token: expect.objectContaining({ role: 'admin' }),
      facts: expect.any(Function),
    });
    expect(event[1]).toEqual({ session: expect.objectContaining({ role: 'admin' }), token: expect.any(Object) });
    calls.length = 0;
    await app.post('session', { data: 'changed' });
    expect(calls[0]?.[1]).toEqual({ token: expect.any(Object), trigger: 'update', session: 'changed' });
    expect(calls[1]?.[1]).toMatchObject({ newSession: 'changed', trigger: 'update' });
  });

  it('changes nothing by what the client sends, unless the callback says so', async () => {
    const merges: Partial<AuthConfig> = { callbacks: { jwt: ({ token, session }) => ({ ...token, ...session }) } };
    for (const [config, name] of [
      [{}, 'Ada Lovelace'],
      [merges, 'Mallory'],
    ] as const) {
      const app = await signedIn(door, config);
      const data = { user: { name: 'Mallory' }, name: 'Mallory', sub: 'victim' };
      const page = await app.browser.post('/auth/session', { csrfToken: await csrfOf(app), data }, { json: true });
      expect(page.status).toBe(200);
      expect(page.json()).toMatchObject({ user: { name } });
      expect(await decode({ token: tokenOf(app), secret: SECRET, salt: NAME })).toMatchObject({ name });
    }
  });

  it('is updated only by a POST with the CSRF token', async () => {
    const seen: unknown[] = [];
    const app = await signedIn(door, {
      callbacks: { jwt: ({ token, trigger }) => noting(seen, trigger, token) },
    });
    seen.length = 0;
    const page = await app.browser.post('/auth/session', { csrfToken: 'wrong', data: 'x' }, { json: true });
    expect(page.status).toBe(400);
    expect(page.json()).toBeNull();
    expect(page.setCookies).toEqual([]);
    expect(seen).toEqual([]);
    expect(app.log.types()).toEqual(['MissingCSRF']);
  });

  it('ends if the jwt callback returns null, during a read or a sign-in', async () => {
    const app = await signedIn(door, { callbacks: { jwt: ({ token, account }) => (account ? token : null) } });
    expect(await app.session()).toBeNull();
    expect(sessionCookies(app.browser)).toEqual([]);
    const fake = fakeProvider();
    const never = scene(door, { providers: [oidc(fake)], callbacks: { jwt: () => null } });
    const page = await never.signIn(fake, { fields: { callbackUrl: '/in' } });
    expect(page.location).toBe('http://localhost:3000/in');
    expect(sessionCookies(never.browser)).toEqual([]);
  });

  it.each(['jwt', 'session'] as const)('is not shown, but kept, when the %s callback throws', async (name) => {
    const broken = { now: false };
    const fail = (params: { token: JWT }): never | JWT => {
      if (broken.now) throw new Error('database down');
      return params.token;
    };
    const app = await signedIn(door, { callbacks: { [name]: fail } });
    const before = tokenOf(app);
    broken.now = true;
    const page = await app.browser.get('/auth/session');
    expect(page.status).toBe(200);
    expect(page.json()).toBeNull();
    expect(page.cookie(NAME)).toBeUndefined();
    expect(tokenOf(app)).toBe(before);
    expect(app.log.types()).toEqual(['JWTSessionError']);
    broken.now = false;
    expect(await app.session()).not.toBeNull();
  });

  it('is not started when the jwt callback throws', async () => {
    const fake = fakeProvider();
    const jwt = (): never => {
      throw new Error('boom');
    };
    const app = scene(door, { providers: [oidc(fake)], callbacks: { jwt } });
    const page = await app.signIn(fake);
    expect(page.location).toMatch(/\/auth\/error\?error=Configuration/);
    expect(sessionCookies(app.browser)).toEqual([]);
    expect(app.log.types()).toEqual(['CallbackRouteError']);
  });

  it('is encoded and decoded by `jwt.encode` and `jwt.decode`', async () => {
    const seen: unknown[] = [];
    const app = await signedIn(door, {
      jwt: {
        maxAge: 77,
        encode: ({ token, ...rest }) => noting(seen, rest, btoa(JSON.stringify(token))),
        decode: ({ token, ...rest }) => noting(seen, rest, JSON.parse(atob(token ?? '')) as JWT),
      },
    });
    expect(JSON.parse(atob(decodeURIComponent(tokenOf(app))))).toMatchObject({ name: 'Ada Lovelace' });
    expect(await app.session()).toMatchObject({ user: { name: 'Ada Lovelace' } });
    expect(seen).toEqual([
      { secret: SECRET, salt: NAME, maxAge: 77 },
      { secret: SECRET, salt: NAME },
      { secret: SECRET, salt: NAME, maxAge: 77 },
    ]);
  });

  it('is null if `jwt.decode` returns null', async () => {
    const app = await signedIn(door, { jwt: { decode: () => null } });
    expect(await app.session()).toBeNull();
    expect(sessionCookies(app.browser)).toEqual([]);
  });

  it('keeps a `sid` that the application sets', async () => {
    const app = await signedIn(door, { callbacks: { jwt: ({ token }) => ({ ...token, sid: 'mine' }) } });
    await app.session();
    expect((await decode({ token: tokenOf(app), secret: SECRET, salt: NAME }))?.sid).toBe('mine');
  });

  it('opens with each secret of the list and is sealed with the first', async () => {
    const secret = ['the-newest-secret-of-at-least-32-characters', SECRET];
    const app = scene(door, { secret });
    app.browser.cookies.set(NAME, await encode({ token: { name: 'Ada' }, secret: SECRET, salt: NAME }));
    expect(await app.session()).toMatchObject({ user: { name: 'Ada' } });
    await expect(decode({ token: tokenOf(app), secret: SECRET, salt: NAME })).rejects.toThrow();
    expect(await decode({ token: tokenOf(app), secret: secret[0] ?? '', salt: NAME })).toMatchObject({ name: 'Ada' });
  });
});

async function csrfOf(app: Scene): Promise<string> {
  return (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>().csrfToken;
}

describe.each(oneDoor)('a JWT session whose callback uses up a token each time, through $name', (door) => {
  /** As with refresh tokens that a provider accepts once: an old one ends the session. */
  async function rotating() {
    let newest = 0;
    const jwt: CallbacksOptions['jwt'] = ({ token, trigger }) => {
      if (trigger === undefined && token['refresh'] !== newest) return null;
      if (trigger === undefined) newest += 1;
      return { ...token, refresh: newest };
    };
    const fake = fakeProvider();
    const links: string[] = [];
    const app = scene(door, {
      adapter: memoryAdapter(),
      experimental: { enableWebAuthn: true },
      session: { strategy: 'jwt' },
      callbacks: { jwt },
      providers: [
        oidc(fake),
        oidc(fake, { id: 'second' }),
        Passkey({}),
        Credentials({ credentials: {}, authorize: () => ({ id: 'elsewhere' }) }),
        { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: ({ url }) => void links.push(url) },
      ],
    });
    return { app, fake, links, rotations: () => newest };
  }

  it.each([
    ['/auth/webauthn-options/passkey?action=register', 200],
    ['/auth/signin', 200],
  ])('keeps the newest at GET %s', async (path, status) => {
    const { app, fake, rotations } = await rotating();
    await app.signIn(fake);
    expect((await app.browser.get(path, { site: 'same-origin' })).status).toBe(status);
    expect(rotations()).toBe(1);
    expect(await app.session()).not.toBeNull();
  });

  it('keeps the newest if an account is refused', async () => {
    const { app, fake, rotations } = await rotating();
    await app.signIn(fake);
    app.browser.cookies.delete('authjs.browser');
    const page = await app.signIn(fake, { id: 'second' });
    expect(page.location).toContain('error=OAuthAccountNotLinked');
    expect(rotations()).toBe(1);
    expect(await app.session()).not.toBeNull();
  });

  it('keeps the newest if a mailed link would end it', async () => {
    const { app, links } = await rotating();
    await app.post('callback/credentials');
    await app.post('signin/mail', { email: 'bob@example.com' });
    expect((await app.finish(links[0] ?? '')).status).toBe(200);
    expect(await app.session()).not.toBeNull();
  });

  it('is set once if a new session replaces it', async () => {
    const { app, fake } = await rotating();
    await app.signIn(fake);
    const page = await app.signIn(fake, { id: 'second' });
    expect(page.setCookies.filter(({ name }) => name === NAME)).toHaveLength(1);
    expect(await app.session()).not.toBeNull();
  });
});

describe('a session that JSON cannot represent', () => {
  it('is answered with a plain 500, and logged', async () => {
    const endless: Record<string, unknown> = { expires: '' };
    endless.self = endless;
    const [door] = oneDoor;
    const app = await signedIn(door as Door, { callbacks: { session: () => endless as never } });
    const page = await app.browser.get('/auth/session');
    expect(page.status).toBe(500);
    expect(page.json()).toEqual({ message: expect.any(String) });
    expect(app.log.types()).toEqual(['AuthError']);
  });
});

import { memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { encode } from '../../src/jwt.ts';
import Credentials from '../../src/providers/credentials.ts';
import type { JWT } from '../../src/types/session.ts';
import { type Door, doors } from '../flows/doors.ts';
import { fakeProvider, oidc, type Scene, type SceneOptions, SECRET, scene } from '../flows/scene.ts';

const NAME = 'authjs.session-token';
const login = Credentials({ authorize: () => ({ id: '7', name: 'Ada' }) });
const b64 = (value: object | string): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

async function signedIn(
  door: Door,
  token: Partial<JWT> = {},
  options: SceneOptions = {},
): Promise<{ app: Scene; cookie: string }> {
  const app = scene(
    door,
    { providers: [login], callbacks: { jwt: ({ token: now, trigger }) => (trigger ? { ...now, ...token } : now) } },
    options,
  );
  await app.post('callback/credentials');
  expect(await app.session()).toMatchObject({ user: { name: 'Ada' } });
  return { app, cookie: app.browser.cookies.get(NAME)?.value ?? '' };
}

async function sealed(claims: JWT, salt: string = NAME, secret: string = SECRET, maxAge = 3600): Promise<string> {
  return encode({ token: claims, secret, salt, maxAge });
}

/** Reads the session of a given cookie. */
async function tried(door: Door, cookie: string, name: string = NAME): Promise<{ session: unknown; cleared: boolean }> {
  const app = scene(door, { providers: [login] });
  app.browser.cookies.set(name, cookie);
  const page = await app.browser.get('/auth/session');
  return { session: page.json(), cleared: !app.browser.cookies.has(name) };
}

describe.each(doors)('a changed session cookie, through $name', (door) => {
  it('is refused and cleared after any bit is flipped', async () => {
    const { cookie } = await signedIn(door);
    for (let index = 0; index < cookie.length; index += 7) {
      const flipped = cookie[index] === 'A' ? 'B' : 'A';
      const part = cookie.slice(0, index) + flipped + cookie.slice(index + 1);
      expect(await tried(door, part), `at ${index}`).toEqual({ session: null, cleared: true });
    }
  });
});

describe.each(doors)('a token of another kind, through $name', (door) => {
  const claims = { sub: '1', name: 'Mallory', exp: 4_000_000_000 };
  const dir = { alg: 'dir', enc: 'A256CBC-HS512' };
  const x = (length: number): string => b64('x'.repeat(length));
  const jwe = (header: object | string, key = '', iv = 16, tag = 32): string =>
    [b64(header), key, x(iv), b64(claims), x(tag)].join('.');
  it.each([
    ['an unsigned JWS', `${b64({ alg: 'none' })}.${b64(claims)}.`],
    ['a JWS in capitals', `${b64({ alg: 'NONE' })}.${b64(claims)}.`],
    ['a JWS', `${b64({ alg: 'HS256' })}.${b64(claims)}.${x(32)}`],
    [
      'a JWE with a password and ten million rounds',
      jwe({ alg: 'PBES2-HS512+A256KW', enc: 'A256CBC-HS512', p2c: 10_000_000, p2s: 'eHh4eHh4eHg' }, x(72)),
    ],
    ['a JWE for a public key', jwe({ alg: 'RSA-OAEP', enc: 'A256GCM' }, x(256), 12, 16)],
    ['a compressed JWE', jwe({ ...dir, zip: 'DEF' })],
    ['a JWE with crit', jwe({ ...dir, crit: ['x'], x: 1 })],
    ['a JWE with b64', jwe({ ...dir, b64: false })],
    ['a JWE with a key of its own', jwe({ ...dir, jwk: { kty: 'oct', k: 'eHg' } }, b64('key'))],
    ['a JWE with 128 bits', jwe({ alg: 'dir', enc: 'A128GCM' }, '', 12, 16)],
    ['a header of the prototype', jwe('{"__proto__":{"alg":"dir","enc":"A256CBC-HS512"}}')],
    ['a header that is a list', jwe('["dir"]')],
  ])('%s is refused and cleared', async (_, token) => {
    expect(await tried(door, token)).toEqual({ session: null, cleared: true });
  });

  it.each([
    ['of another cookie', () => sealed(claims, 'authjs.state')],
    ['of the secure site', () => sealed(claims, '__Secure-authjs.session-token')],
    ['without a salt', () => sealed(claims, '')],
    ['of another secret', () => sealed(claims, NAME, 'another-secret-of-more-than-32-characters')],
    ['that has expired', () => sealed(claims, NAME, SECRET, -60)],
  ])('one %s is refused and cleared', async (_, make) => {
    expect(await tried(door, await make())).toEqual({ session: null, cleared: true });
  });

  it('a session of the http site is ignored on https', async () => {
    const app = scene(door, { providers: [login] }, { origin: 'https://app.example' });
    const token = await sealed({ ...claims });
    app.browser.cookies.set(NAME, token);
    app.browser.cookies.set('__Secure-authjs.session-token', token, { secure: true });
    expect(await app.session()).toBeNull();
  });
});

describe.each(doors)('a flood of cookies, through $name', (door) => {
  const ask = async (cookie: string) => {
    const app = scene(door, { providers: [login] });
    return app.browser.get('/auth/session', { headers: { cookie } });
  };

  it.each([
    ['10 000 of them', Array.from({ length: 10_000 }, (_, n) => `c${n}=${n}`).join('; ')],
    ['3000 chunks', Array.from({ length: 3000 }, (_, n) => `${NAME}.${n}=x`).join('; ')],
    ['a session of a megabyte', `${NAME}=${'x'.repeat(1_000_000)}`],
    ['a session of 60 000 characters', `${NAME}=${'x'.repeat(60_000)}`],
    ['a session of nothing but dots', `${NAME}=${'.'.repeat(60_000)}`],
    ['broken percents', `${NAME}=${'%E0%A4'.repeat(10_000)}`],
    ['semicolons', ';'.repeat(60_000)],
  ])('%s is answered, with few lines', async (_, cookie) => {
    const page = await ask(cookie);
    expect([page.status, page.json()]).toEqual([200, null]);
    expect(page.setCookies.length).toBeLessThanOrEqual(22);
  });
});

describe.each(doors)('chunks, through $name', (door) => {
  it('of a session are joined, and stray cookies with similar names are ignored', async () => {
    const { app } = await signedIn(door, { filling: 'x'.repeat(6000) });
    for (const name of ['-x', '.x', '.00', '.99', 'x', '.1.1']) app.browser.cookies.set(NAME + name, 'stray');
    expect(await app.session()).toMatchObject({ user: { name: 'Ada' } });
    expect(app.browser.cookies.all().filter(({ value }) => value === 'stray')).toHaveLength(6);
  });

  it('of which one is missing, swapped or foreign give no session', async () => {
    const edits: ((app: Scene) => void)[] = [
      (app) => app.browser.cookies.delete(`${NAME}.0`),
      (app) => app.browser.cookies.delete(`${NAME}.1`),
      (app) => app.browser.cookies.set(`${NAME}.1`, 'x'.repeat(3936)),
      (app) => {
        const [first, second] = [0, 1].map((n) => app.browser.cookies.get(`${NAME}.${n}`)?.value ?? '');
        app.browser.cookies.set(`${NAME}.0`, second ?? '');
        app.browser.cookies.set(`${NAME}.1`, first ?? '');
      },
    ];
    for (const edit of edits) {
      const { app } = await signedIn(door, { filling: 'x'.repeat(6000) });
      edit(app);
      expect(await app.session()).toBeNull();
    }
  });

  it('do not hide a session in one cookie', async () => {
    const { app } = await signedIn(door);
    app.browser.cookies.set(`${NAME}.0`, 'planted');
    app.browser.cookies.set(`${NAME}.1`, 'planted');
    expect(await app.session()).toMatchObject({ user: { name: 'Ada' } });
  });
});

describe.each(doors)('the secret, through $name', (door) => {
  const [OLD, NEW] = ['old-secret-of-more-than-32-characters-1', 'new-secret-of-more-than-32-characters-2'];

  it('can be changed: the newest seals, older ones open, and what a removed one sealed is void', async () => {
    const app = scene(door, { providers: [login], secret: OLD });
    await app.post('callback/credentials');
    const first = app.browser.cookies.get(NAME)?.value ?? '';
    app.config.secret = [NEW, OLD];
    expect(await app.session()).toMatchObject({ user: { name: 'Ada' } });
    const second = app.browser.cookies.get(NAME)?.value ?? '';
    app.config.secret = [NEW];
    expect(await app.session()).toMatchObject({ user: { name: 'Ada' } });
    const stranger = app.visitor();
    stranger.cookies.set(NAME, first);
    expect(await app.session(stranger)).toBeNull();
    stranger.cookies.set(NAME, second);
    expect(await app.session(stranger)).toMatchObject({ user: { name: 'Ada' } });
  });
});

/** Number of chunks that fit into the longest header that is read. */
const names = Array.from({ length: 2000 }, (_, index) => `${NAME}.${index}`);

describe.each(doors)(
  'two thousand chunks of nothing, in a header that is short enough to be read, through $name',
  (door) => {
    it.each([
      ['the session is read', 'GET', 'session'],
      ['signing out', 'POST', 'signout'],
    ] as const)('%s: only cookies that the library could have set are cleared', async (_, method, action) => {
      const app = scene(door, {});
      const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
      const csrf = app.browser.cookies.get('authjs.csrf-token')?.value ?? '';
      const cookie = [`authjs.csrf-token=${csrf}`, ...names.map((name) => `${name}=x`)].join('; ');
      expect(cookie.length).toBeLessThan(64 * 1024);
      const body = method === 'POST' ? { body: new URLSearchParams({ csrfToken }) } : {};
      const page = await app.browser.open(`/auth/${action}`, { ...body, headers: { cookie } });
      const cleared = page.setCookies.filter(({ name }) => name.startsWith(NAME));
      expect(cleared.map(({ name }) => name)).toEqual(names.slice(0, 20));
      expect(cleared.every(({ value, maxAge }) => value === '' && maxAge === 0)).toBe(true);
    });
  },
);

async function signedInAt(door: Door, strategy: 'jwt' | 'database'): Promise<Scene> {
  const fake = fakeProvider({ now: () => app.clock.now() });
  const app: Scene = scene(door, { providers: [oidc(fake)], adapter: memoryAdapter(), session: { strategy } });
  await app.signIn(fake);
  return app;
}

describe.each(doors)('a server whose clock is not right, through $name', (door) => {
  it.each(['jwt', 'database'] as const)(
    'an hour back, after a correction, keeps the sessions that there are (%s), and ends none',
    async (strategy) => {
      const app = await signedInAt(door, strategy);
      app.clock.advance(-3600);
      for (let reading = 0; reading < 3; reading++) {
        expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
      }
      app.clock.advance(3600);
      expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
      expect(app.log.errors).toEqual([]);
    },
  );

  it.each([
    ['ends a session that another server would end since 14 seconds, not yet', { exp: -14 }, true],
    ['ends a session that has been over for 16 seconds', { exp: -16 }, false],
    ['takes a session from a server that is ahead of it by 14 seconds', { nbf: 14 }, true],
    ['takes none that begins in 16 seconds', { nbf: 16 }, false],
  ])('%s', async (_, times, isOne) => {
    const app = scene(door, {});
    const now = Math.floor(app.clock.now().getTime() / 1000);
    const { exp, nbf } = times as { exp?: number; nbf?: number };
    const claims = { name: 'Ada', ...(nbf === undefined ? {} : { nbf: now + nbf }) };
    const token = await encode({ token: claims, secret: SECRET, salt: NAME, maxAge: exp ?? 600 });
    app.browser.cookies.set(NAME, token);
    // `encode` has a clock of its own; the seconds in between are no more than those to the next full one.
    app.clock.set(new Date(now * 1000));
    expect((await app.session()) !== null).toBe(isOne);
  });
});

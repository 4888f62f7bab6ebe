import { describe, expect, it } from 'vitest';
import { encode, type JWT } from '../../src/jwt.ts';
import Credentials from '../../src/providers/credentials.ts';
import { type Door, doors } from '../flows/doors.ts';
import { type Scene, type SceneOptions, SECRET, scene } from '../flows/scene.ts';

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

/** The session that a stranger's cookie gives. */
async function tried(door: Door, cookie: string, name: string = NAME): Promise<{ session: unknown; cleared: boolean }> {
  const app = scene(door, { providers: [login] });
  app.browser.cookies.set(name, cookie);
  const page = await app.browser.get('/auth/session');
  return { session: page.json(), cleared: !app.browser.cookies.has(name) };
}

describe.each(doors)('a session cookie that was tampered with, through $name', (door) => {
  it('is refused and cleared, whichever bit is flipped', async () => {
    const { cookie } = await signedIn(door);
    for (let index = 0; index < cookie.length; index += 7) {
      const flipped = cookie[index] === 'A' ? 'B' : 'A';
      const part = cookie.slice(0, index) + flipped + cookie.slice(index + 1);
      expect(await tried(door, part), `at ${index}`).toEqual({ session: null, cleared: true });
    }
  });

  it('is refused and cleared, wherever it is cut or lengthened', async () => {
    const { cookie } = await signedIn(door);
    const [header, , iv, text, tag] = cookie.split('.');
    for (const bad of [
      cookie.slice(0, -1),
      cookie.slice(1),
      cookie.slice(0, cookie.length / 2),
      `${cookie}.`,
      `.${cookie}`,
      `${cookie}.x`,
      `${cookie}A`,
      `${cookie}=`,
      cookie.replace('..', '.x.'),
      cookie.toLowerCase(),
      '....',
      '.',
      'x',
      '%00',
      `${header}....`,
      `${header}..${iv}..${tag}`,
      `..${iv}.${text}.${tag}`,
      `${header}..${iv}.${text}.`,
      `${header}..${tag}.${text}.${iv}`,
    ]) {
      // biome-ignore format: a list to be read across
      expect(await tried(door, bad), bad.slice(0, 30)).toEqual({ session: null, cleared: true });
    }
  });
});

describe.each(doors)('a token of another kind, through $name', (door) => {
  const claims = { sub: '1', name: 'Mallory', exp: 4_000_000_000 };
  const dir = { alg: 'dir', enc: 'A256CBC-HS512' };
  it.each([
    ['an unsigned JWS', `${b64({ alg: 'none' })}.${b64(claims)}.`],
    ['a JWS in capitals', `${b64({ alg: 'NONE' })}.${b64(claims)}.`],
    ['a JWS', `${b64({ alg: 'HS256' })}.${b64(claims)}.${b64('x'.repeat(32))}`],
    [
      'a JWE with a password and ten million rounds',
      `${b64({ alg: 'PBES2-HS512+A256KW', enc: 'A256CBC-HS512', p2c: 10_000_000, p2s: 'eHh4eHh4eHg' })}.${b64('x'.repeat(72))}.${b64('x'.repeat(16))}.${b64(claims)}.${b64('x'.repeat(32))}`,
    ],
    [
      'a JWE for a public key',
      `${b64({ alg: 'RSA-OAEP', enc: 'A256GCM' })}.${b64('x'.repeat(256))}.${b64('x'.repeat(12))}.${b64(claims)}.${b64('x'.repeat(16))}`,
    ],
    [
      'a compressed JWE',
      `${b64({ ...dir, zip: 'DEF' })}..${b64('x'.repeat(16))}.${b64(claims)}.${b64('x'.repeat(32))}`,
    ],
    [
      'a JWE with crit',
      `${b64({ ...dir, crit: ['x'], x: 1 })}..${b64('x'.repeat(16))}.${b64(claims)}.${b64('x'.repeat(32))}`,
    ],
    ['a JWE with b64', `${b64({ ...dir, b64: false })}..${b64('x'.repeat(16))}.${b64(claims)}.${b64('x'.repeat(32))}`],
    [
      'a JWE with a key of its own',
      `${b64({ ...dir, jwk: { kty: 'oct', k: 'eHg' } })}.${b64('key')}.${b64('x'.repeat(16))}.${b64(claims)}.${b64('x'.repeat(32))}`,
    ],
    [
      'a JWE with 128 bits',
      `${b64({ alg: 'dir', enc: 'A128GCM' })}..${b64('x'.repeat(12))}.${b64(claims)}.${b64('x'.repeat(16))}`,
    ],
    [
      'a header of the prototype',
      `${b64('{"__proto__":{"alg":"dir","enc":"A256CBC-HS512"}}')}..${b64('x'.repeat(16))}.${b64(claims)}.${b64('x'.repeat(32))}`,
    ],
    ['a header that is a list', `${b64('["dir"]')}..${b64('x'.repeat(16))}.${b64(claims)}.${b64('x'.repeat(32))}`],
  ])('%s is refused and cleared', async (_, token) => {
    // biome-ignore format: one token, one line
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

  it('the http session is none on https', async () => {
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
  it('of a session are put together whatever else is there', async () => {
    const { app } = await signedIn(door, { filling: 'x'.repeat(6000) });
    for (const name of ['-x', '.x', '.00', '.99', 'x', '.1.1']) app.browser.cookies.set(NAME + name, 'stray');
    expect(await app.session()).toMatchObject({ user: { name: 'Ada' } });
    expect(app.browser.cookies.all().filter(({ value }) => value === 'stray')).toHaveLength(6);
  });

  it('of which one is missing, swapped or foreign are no session', async () => {
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

  it('beside a whole session do not hide it', async () => {
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

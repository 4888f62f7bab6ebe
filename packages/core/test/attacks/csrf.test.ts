import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Auth } from '../../src/auth.ts';
import Credentials from '../../src/providers/credentials.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { type Door, doors } from '../flows/doors.ts';
import {
  expectRefused,
  fakeProvider,
  oidc,
  type Scene,
  type SceneOptions,
  SECRET,
  scene,
  sessionCookies,
} from '../flows/scene.ts';
import { csrfTokenOf } from './site.ts';

const COOKIE = 'authjs.csrf-token';
const TOKEN = 'a'.repeat(64);

/** A victim who is signed in, and a count of everything that a forged request could bring about. */
async function victim(door: Door, own: Partial<AuthConfig> = {}, options: SceneOptions = {}) {
  const fake = fakeProvider();
  const effects: string[] = [];
  const app = scene(
    door,
    {
      providers: [
        oidc(fake),
        Credentials({
          authorize: ({ name }) => {
            effects.push(`signed in ${name}`);
            return { id: '7', name: String(name) };
          },
        }),
      ],
      callbacks: {
        jwt({ token, trigger }) {
          if (trigger === 'update') effects.push('updated');
          return token;
        },
      },
      events: { signOut: () => void effects.push('signed out') },
      ...own,
    },
    options,
  );
  await app.post('callback/credentials', { name: 'victim' });
  const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
  effects.length = 0;
  const expectNothing = async (): Promise<void> => {
    expect(effects).toEqual([]);
    expect(sessionCookies(app.browser)).toHaveLength(1);
    expect(await app.session()).toMatchObject({ user: { name: 'victim' } });
    expect(app.browser.cookies.all().some(({ name }) => /state$|verifier$/.test(name))).toBe(false);
  };
  return { app, effects, token: csrfToken, expectNothing };
}

/** Every request that changes something for the visitor. */
const forms: [path: string, fields: Record<string, string>][] = [
  ['signout', {}],
  ['callback/credentials', { name: 'mallory' }],
  ['signin/fake', {}],
  ['session', { data: 'forged' }],
];

type Attack = (app: Scene, path: string, fields: Record<string, string>, token: string) => Promise<unknown>;

const attacks: Record<string, Attack> = {
  'without a token': (app, path, fields) => app.browser.post(path, fields),
  'with an empty token': (app, path, fields) => app.browser.post(path, { ...fields, csrfToken: '' }),
  'with a made-up token': (app, path, fields) => app.browser.post(path, { ...fields, csrfToken: TOKEN }),
  'with a token in capitals': (app, path, fields, token) => app.browser.post(path, { ...fields, csrfToken: token.toUpperCase() }),
  'with a token cut short': (app, path, fields, token) => app.browser.post(path, { ...fields, csrfToken: token.slice(0, -1) }),
  'with token and hash': (app, path, fields) =>
    app.browser.post(path, { ...fields, csrfToken: decodeURIComponent(app.browser.cookies.get(COOKIE)?.value ?? '') }),
  'with a token in a list': (app, path, fields, token) => app.browser.post(path, { ...fields, csrfToken: [token] }, { json: true }),
  'with a token in an object': (app, path, fields, token) => app.browser.post(path, { ...fields, csrfToken: { 0: token, length: 64 } }, { json: true }),
  'with `true` for a token': (app, path, fields) => app.browser.post(path, { ...fields, csrfToken: true }, { json: true }),
  'with the token in the query': (app, path, fields, token) => app.browser.post(`${path}?csrfToken=${token}`, fields),
  'with the token in a header': (app, path, fields, token) =>
    app.browser.post(path, fields, { headers: { 'x-csrf-token': token, 'csrf-token': token, 'x-xsrf-token': token } }),
  "with another browser's token": async (app, path, fields) => {
    const { csrfToken } = (await app.visitor().get('/auth/csrf')).json<{ csrfToken: string }>();
    return app.browser.post(path, { ...fields, csrfToken });
  },
  'with a forged cookie, unsigned': (app, path, fields) => forged(app, path, fields, TOKEN),
  'with a forged cookie that is not signed': (app, path, fields) => forged(app, path, fields, `${TOKEN}|${hash('sha256', TOKEN)}`),
  'with a forged cookie of another secret': (app, path, fields) => forged(app, path, fields, `${TOKEN}|${hash('sha256', `${TOKEN}another-secret`)}`),
  'with a forged cookie without a token': (app, path, fields) => forged(app, path, { ...fields, csrfToken: '' }, `|${hash('sha256', SECRET)}`),
  'as text/plain that looks like JSON': (app, path, fields, token) => typed(app, path, 'text/plain', JSON.stringify({ ...fields, csrfToken: token })),
  'as a look-alike of JSON': (app, path, fields, token) => typed(app, path, 'application/jsonp', JSON.stringify({ ...fields, csrfToken: token })),
  'as text/plain with JSON in its parameters': (app, path, fields, token) =>
    typed(app, path, 'text/plain; application/json', JSON.stringify({ ...fields, csrfToken: token })),
  'as multipart': (app, path, fields, token) => typed(app, path, 'multipart/form-data; boundary=x', new URLSearchParams({ ...fields, csrfToken: token }).toString()),
  'as a look-alike of a form': (app, path, fields, token) => typed(app, path, 'application/x-www-form-urlencoded-x', new URLSearchParams({ ...fields, csrfToken: token }).toString()),
  'from another site that knows the token': (app, path, fields, token) =>
    app.browser.open(path, { body: new URLSearchParams({ ...fields, csrfToken: token }), site: 'cross-site', headers: { cookie: cookieHeader(app) } }),
  'by GET': (app, path, fields, token) => app.browser.get(`${path}?${new URLSearchParams({ ...fields, csrfToken: token })}`, { site: 'cross-site' }),
  'by GET with a method override': (app, path, fields, token) =>
    app.browser.get(`${path}?_method=POST&${new URLSearchParams({ ...fields, csrfToken: token })}`, {
      headers: { 'x-http-method-override': 'POST', 'x-method-override': 'POST', 'x-http-method': 'POST' },
    }),
}; // biome-ignore format: one attack, one entry

function forged(app: Scene, path: string, fields: Record<string, string>, cookie: string): Promise<unknown> {
  const before = app.browser.cookies.get(COOKIE)?.value ?? '';
  app.browser.cookies.set(COOKIE, encodeURIComponent(cookie));
  return app.browser.post(path, { csrfToken: TOKEN, ...fields }).finally(() => app.browser.cookies.set(COOKIE, before));
}

function typed(app: Scene, path: string, type: string, body: string): Promise<unknown> {
  return app.browser.open(path, { method: 'POST', body, headers: { 'content-type': type } });
}

/** All cookies, in spite of SameSite, as an old browser sends them. */
function cookieHeader(app: Scene): string {
  return app.browser.cookies
    .all()
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ');
}

describe.each(doors)('a forged request, through $name', (door) => {
  describe.each(forms)('to %s', (path, fields) => {
    it.each(Object.entries(attacks))('%s has no effect', async (_, attack) => {
      const { app, token, expectNothing } = await victim(door);
      await attack(app, `/auth/${path}`, fields, token);
      await expectNothing();
    });

    it.each(['PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND', 'POSTX'])(
      'by %s is a 400 without effect',
      async (method) => {
        const { app, token, expectNothing } = await victim(door);
        const body = new URLSearchParams({ ...fields, csrfToken: token });
        const page = await app.browser.open(`/auth/${path}`, { method, ...(method !== 'HEAD' && { body }) });
        expect(page.status).toBe(400);
        await expectNothing();
      },
    );

    it('with the token of its own browser works, so the tests above could fail', async () => {
      const { app, token, effects } = await victim(door);
      const page = await app.browser.post(`/auth/${path}`, { ...fields, csrfToken: token });
      expect(page.location ?? '').not.toContain('error');
      const started = app.browser.cookies.has('authjs.state') ? ['started'] : [];
      expect([...effects, ...started]).toHaveLength(1);
    });
  });
});

describe.each(doors)('a subdomain, through $name', (door) => {
  it('cannot plant a pair of its own on a secure site: browsers refuse the name', async () => {
    const pair = encodeURIComponent(`${TOKEN}|${hash('sha256', TOKEN + SECRET)}`);
    const evil = (): Response =>
      new Response('', {
        headers: { 'set-cookie': `__Host-authjs.csrf-token=${pair}; Domain=example.com; Path=/; Secure` },
      });
    const routes = { 'https://evil.example.com': evil };
    const app = scene(door, {}, { origin: 'https://example.com', routes });
    await app.browser.get('https://evil.example.com/');
    expect(app.browser.rejected).toHaveLength(1);
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    expect(csrfToken).not.toBe(TOKEN);
  });

  it('cannot plant it under the name of the insecure site either: that one is not read', async () => {
    const app = scene(door, {}, { origin: 'https://app.example.com' });
    const pair = encodeURIComponent(`${TOKEN}|${hash('sha256', TOKEN + SECRET)}`);
    app.browser.cookies.set(COOKIE, pair, { domain: 'example.com' });
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    expect(csrfToken).not.toBe(TOKEN);
  });
});

describe.each(doors)('a cookie of more than token and hash, through $name', (door) => {
  it('is ignored', async () => {
    const app = scene(door, {});
    for (const more of ['', '|', '|more']) {
      const pair = `${TOKEN}|${hash('sha256', TOKEN + SECRET)}${more}`;
      app.browser.cookies.set(COOKIE, encodeURIComponent(pair));
      const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
      expect(csrfToken === TOKEN, more).toBe(more === '');
    }
  });
});

describe('a configuration that came as JSON', () => {
  it.each(['skipCSRFCheck', 'raw'])('cannot switch off checks by `%s`', async (name) => {
    for (const value of [
      true,
      1,
      'skip-csrf-check',
      'return-type-raw',
      {},
      Symbol('skip-csrf-check'),
      Symbol('return-type-raw'),
    ]) {
      const config = {
        providers: [],
        secret: SECRET,
        trustHost: true,
        logger: { error: () => undefined },
        [name]: value,
      };
      const answer = await Auth(new Request('http://localhost:3000/auth/signout', { method: 'POST' }), config as never);
      expect(answer).toBeInstanceOf(Response);
      expect((answer as Response).headers.get('location')).toBe('http://localhost:3000/auth/signin?error=MissingCSRF');
    }
  });
});

describe.each(doors)('other origins, through $name', (door) => {
  it('are never allowed to read an answer', async () => {
    const { app } = await victim(door);
    const headers = {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const asked = ['session', 'csrf', 'providers', 'signin', 'error'].map((path) =>
      app.browser.get(`/auth/${path}`, { headers, mode: 'cors' }),
    );
    const preflight = app.browser.open('/auth/session', { method: 'OPTIONS', headers });
    for (const page of await Promise.all([...asked, preflight])) {
      expect([...page.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe.each(doors)('a form posted from elsewhere, through $name', (door) => {
  async function posted(headers: Record<string, string>): Promise<{ sent: boolean }> {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] }, { sendMetadata: false, origin: 'https://app.test' });
    const page = await app.browser.post(
      '/auth/signin/fake',
      { csrfToken: await csrfTokenOf(app.browser) },
      { headers },
    );
    const sent = page.location?.startsWith(fake.issuer) === true;
    if (!sent) expectRefused(app, page, 'MissingCSRF');
    return { sent };
  }

  it.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://app.test' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'https://app.test.evil.example' }],
    [{ origin: 'https://app.test:8443' }],
    [{ origin: 'http://app.test' }],
    [{ origin: 'garbage' }],
  ])('is refused with %j although the token is right', async (headers) => {
    expect(await posted(headers)).toEqual({ sent: false });
  });

  it.each([
    [{}],
    [{ 'sec-fetch-site': 'same-origin' }],
    [{ 'sec-fetch-site': 'same-site', origin: 'https://sibling.app.test' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ origin: 'https://app.test' }],
    [{ origin: 'null' }],
  ])('passes with %j and the right token', async (headers) => {
    expect(await posted(headers as Record<string, string>)).toEqual({ sent: true });
  });
});

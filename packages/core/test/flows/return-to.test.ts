import { describe, expect, it } from 'vitest';
import { oneDoor } from './doors.ts';
import { fakeProvider, noting, oidc, scene } from './scene.ts';

const ORIGIN = 'http://localhost:3000';

/** The requested callback URL, and where the visitor is sent. */
const rules: [callbackUrl: string, target: string][] = [
  ['/dashboard', `${ORIGIN}/dashboard`],
  ['/a?b=c#d', `${ORIGIN}/a?b=c#d`],
  [`${ORIGIN}/x`, `${ORIGIN}/x`],
  [ORIGIN, ORIGIN],
  [`${ORIGIN}@evil.example/`, ORIGIN],
  [`http://user:pass@localhost:3000/x`, `${ORIGIN}/x`],
  [`http://:pass@localhost:3000/x`, `${ORIGIN}/x`],
  [`https://evil.example/${ORIGIN}/`, ORIGIN],
  ['https://evil.example/', ORIGIN],
  ['http://localhost:3001/', ORIGIN],
  ['https://localhost:3000/', ORIGIN],
  ['http://localhost:3000.evil.example/', ORIGIN],
  ['//evil.example/x', `${ORIGIN}//evil.example/x`],
  ['/\\evil.example', `${ORIGIN}//evil.example`],
  ['\\\\evil.example', ORIGIN],
  ['https:evil.example', ORIGIN],
  ['https:/\\evil.example', ORIGIN],
  ['javascript:alert(1)', ORIGIN],
  ['JaVaScRiPt:alert(1)', ORIGIN],
  ['data:text/html,x', ORIGIN],
  ['relative', ORIGIN],
  ['', ORIGIN],
  [' /x', ORIGIN],
  ['http://', ORIGIN],
  ['http://[', ORIGIN],
  ['/x\r\nset-cookie: a=b', ORIGIN],
  ['/\t/evil.example', ORIGIN],
  ['/x\u0000', ORIGIN],
  ['/x\u007f', ORIGIN],
  ['/a b', `${ORIGIN}/a%20b`],
  [`/${'x'.repeat(2000)}`, `${ORIGIN}/${'x'.repeat(2000)}`],
  [`${ORIGIN}/`.padEnd(2048, 'x'), `${ORIGIN}/`.padEnd(2048, 'x')],
  [`${ORIGIN}/`.padEnd(2049, 'x'), ORIGIN],
  ['/'.padEnd(2049, 'x'), ORIGIN],
  ['/ä', `${ORIGIN}/%C3%A4`],
  ['/%2e%2e//evil.example', `${ORIGIN}/%2e%2e//evil.example`],
];

describe.each(oneDoor)('the return URL through $name', (door) => {
  it.each(rules)('%j leads to %j, from body, query and cookie', async (callbackUrl, target) => {
    const ways = {
      body: async () => app.post('signout', { callbackUrl }),
      query: async () => app.post(`signout?${new URLSearchParams({ callbackUrl })}`),
      json: async () => {
        const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
        return app.browser.post('/auth/signout', { csrfToken, callbackUrl }, { json: true });
      },
      cookie: async () => {
        app.browser.cookies.set('authjs.callback-url', encodeURIComponent(callbackUrl));
        return app.post('signout');
      },
    };
    const app = scene(door, {});
    for (const [way, go] of Object.entries(ways)) {
      app.browser.cookies.delete('authjs.callback-url');
      const page = await go();
      expect(page.status, way).toBe(302);
      expect(page.location, way).toBe(target);
      expect(page.headers.get('set-cookie') ?? '').not.toMatch(/a=b/);
    }
    expect(app.log.errors).toEqual([]);
  });

  it.each([[['/x']], [{ toString: '/x' }], [7], [null], [true]])(
    'that is %j leads to the origin',
    async (callbackUrl) => {
      const app = scene(door, {});
      const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
      const page = await app.browser.post('/auth/signout', { csrfToken, callbackUrl }, { json: true });
      expect(page.location).toBe(ORIGIN);
    },
  );

  it('may be a path of 2048 characters', async () => {
    const callbackUrl = '/'.padEnd(2048, 'x');
    expect((await scene(door, {}).post('signout', { callbackUrl })).location).toBe(ORIGIN + callbackUrl);
  });

  it('in the body wins over the query, and that over the cookie', async () => {
    const app = scene(door, {});
    expect((await app.post('signout?callbackUrl=/query', { callbackUrl: '/body' })).location).toBe(`${ORIGIN}/body`);
    expect((await app.post('signout?callbackUrl=/query')).location).toBe(`${ORIGIN}/query`);
    expect((await app.post('signout')).location).toBe(`${ORIGIN}/query`);
  });

  it('in the query counts if the one in the body is empty', async () => {
    const app = scene(door, {});
    expect((await app.post('signout?callbackUrl=/query', { callbackUrl: '' })).location).toBe(`${ORIGIN}/query`);
  });

  it('is remembered in a cookie, which is set only when it changes', async () => {
    const app = scene(door, {});
    const first = await app.browser.get('/auth/session');
    expect(decodeURIComponent(first.cookie('authjs.callback-url')?.value ?? '')).toBe(ORIGIN);
    expect((await app.browser.get('/auth/session')).setCookies).toEqual([]);
    const changed = await app.browser.get('/auth/signin?callbackUrl=/next');
    expect(decodeURIComponent(changed.cookie('authjs.callback-url')?.value ?? '')).toBe(`${ORIGIN}/next`);
  });

  it('that is invalid does not fail the request, and is replaced in the cookie', async () => {
    const app = scene(door, { providers: [oidc(fakeProvider())] });
    for (const path of ['session', 'signin', 'csrf', 'providers', 'error']) {
      app.browser.cookies.set('authjs.callback-url', 'http%3A%2F%2F%5B');
      const page = await app.browser.get(`/auth/${path}?callbackUrl=http://[`);
      expect(page.status).toBe(200);
    }
    expect(app.log.errors).toEqual([]);
  });

  it('is decided by the `redirect` callback of the application', async () => {
    const seen: unknown[] = [];
    const app = scene(door, {
      callbacks: {
        redirect: ({ url, baseUrl }) => {
          seen.push({ url, baseUrl });
          return url.startsWith('https://partner.example/') ? url : '/home';
        },
      },
    });
    expect((await app.post('signout', { callbackUrl: 'https://partner.example/x' })).location).toBe(
      'https://partner.example/x',
    );
    expect((await app.post('signout', { callbackUrl: '/y' })).location).toBe(`${ORIGIN}/home`);
    expect(seen).toContainEqual({ url: 'https://partner.example/x', baseUrl: ORIGIN });
    expect(seen).toContainEqual({ url: '/y', baseUrl: ORIGIN });
    expect((await app.post('signout', { callbackUrl: `${ORIGIN}/z` })).location).toBe(`${ORIGIN}/home`);
    expect((await app.post('signout', { callbackUrl: ORIGIN })).location).toBe(`${ORIGIN}/home`);
  });

  it.each(['relative', 'xhttp://evil.example', 'mailto:ada@example.com', 'http://['])(
    '%j is ignored, and the callback is not called',
    async (callbackUrl) => {
      const seen: unknown[] = [];
      const app = scene(door, { callbacks: { redirect: ({ url }) => noting(seen, url, '/asked') } });
      expect((await app.post('signout', { callbackUrl })).location).toBe(ORIGIN);
      expect(seen).not.toContain(callbackUrl);
    },
  );

  it('that the `redirect` callback returns as a path stays on the origin', async () => {
    const app = scene(door, { callbacks: { redirect: () => '/to/http://evil.example/' } });
    expect((await app.post('signout', { callbackUrl: '/x' })).location).toBe(`${ORIGIN}/to/http://evil.example/`);
  });

  it.each(['//evil.example/x', '/\\evil.example', '///evil.example'])(
    '%j stays on the origin if the `redirect` callback returns all paths',
    async (callbackUrl) => {
      const redirect = ({ url }: { url: string }) => (url.startsWith('/') ? url : '/home');
      const app = scene(door, { callbacks: { redirect } });
      expect((await app.post('signout', { callbackUrl })).location).toBe(`${ORIGIN}/home`);
    },
  );

  it('does not call the callback if the request names none', async () => {
    const seen: unknown[] = [];
    const app = scene(door, { callbacks: { redirect: ({ url }) => noting(seen, url, url) } });
    await app.browser.get('/auth/csrf');
    expect(seen).toEqual([]);
  });

  it.each([
    ['returns nothing', () => undefined as never],
    ['returns a javascript: address', () => 'javascript:alert(1)'],
    ['returns a number', () => 7 as never],
    ['returns garbage', () => 'http://['],
  ])('is the origin, and an error is logged, if the `redirect` callback %s', async (_, redirect) => {
    const app = scene(door, { callbacks: { redirect } });
    expect((await app.post('signout', { callbackUrl: '/x' })).location).toBe(ORIGIN);
    expect(new Set(app.log.types())).toEqual(new Set(['InvalidCallbackUrl']));
    expect(app.log.errors[0]?.message).toMatch(/^the `redirect` callback must return a URL/);
  });

  it('is the origin, and an error is logged, if the `redirect` callback throws', async () => {
    const redirect = (): never => {
      throw new Error('boom');
    };
    const app = scene(door, { callbacks: { redirect } });
    expect((await app.post('signout', { callbackUrl: '/x' })).location).toBe(ORIGIN);
    expect(new Set(app.log.types())).toEqual(new Set(['InvalidCallbackUrl']));
    expect(app.log.errors[0]?.message).toMatch(/^the `redirect` callback threw/);
    expect(app.log.errors[0]?.cause?.err?.message).toBe('boom');
  });

  it('is on the origin that the environment names, not that of the request', async () => {
    const app = scene(door, {}, { call: { origin: 'https://app.example' } });
    expect((await app.post('signout', { callbackUrl: '/x' })).location).toBe('https://app.example/x');
    expect((await app.post('signout', { callbackUrl: `${ORIGIN}/x` })).location).toBe('https://app.example');
  });
});

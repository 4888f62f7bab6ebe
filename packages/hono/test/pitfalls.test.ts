import { HonoAuth, SessionRequired } from '@latchkey/hono';
import { Browser } from '@latchkey/testing';
import { bindingConfig } from '@latchkey/testing/binding-application';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { setCookie } from 'hono/cookie';
import type { HTTPException } from 'hono/http-exception';
import { validator } from 'hono/validator';
import { describe, expect, it, vi } from 'vitest';

const origin = 'http://localhost:3000';
const { handler, auth, required, requireSession, signOut } = HonoAuth(bindingConfig(), {});

/** An application with a middleware before the binding. */
function application(before: MiddlewareHandler): Hono {
  const app = new Hono();
  app.use(before, handler);
  app.get('/', async (c) => c.json(await auth(c)));
  return app;
}

function visitor(app: Hono): Browser {
  return new Browser(async (request) => app.fetch(request), { origin });
}

async function signIn(browser: Browser, type: 'form' | 'json') {
  const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
  const fields = { csrfToken, name: 'Ada', password: 'password', json: 'true' };
  return browser.post('/auth/callback/credentials', fields, { json: type === 'json' });
}

describe('HonoAuth', () => {
  it('keeps its cookies beside those of a middleware that has read `c.res`', async () => {
    const app = application(async (c, next) => {
      setCookie(c, 'theme', 'dark');
      c.res.headers.set('x-read', 'yes');
      await next();
    });
    const page = await app.request(`${origin}/auth/csrf`);
    expect(page.headers.get('x-read')).toBe('yes');
    const names = page.headers.getSetCookie().map((line) => line.split('=')[0]);
    expect(names).toEqual(['theme', 'authjs.csrf-token', 'authjs.callback-url']);
  });

  it.each([false, true])(
    'answers actions so that no cache keeps them; middleware has read `c.res`: %s',
    async (reads) => {
      const app = application(async (c, next) => {
        c.header('cache-control', 'public, max-age=60');
        c.header('cdn-cache-control', 'max-age=60');
        if (reads) c.res.headers.set('x-read', 'yes');
        await next();
      });
      for (const action of ['csrf', 'session', 'signin']) {
        const { headers } = await app.request(`${origin}/auth/${action}`);
        expect(headers.get('cache-control')).toMatch(/^private,.* no-store$/);
        expect(headers.get('cdn-cache-control')).toBeNull();
      }
    },
  );

  it.each(['form', 'json'] as const)('signs in although a validator has read the body: %s', async (type) => {
    const browser = visitor(application(validator(type, (value) => value) as MiddlewareHandler));
    await signIn(browser, type);
    expect((await browser.get('/')).json()).toMatchObject({ user: { name: 'Ada' } });
  });

  it('signs out although a middleware of the route has replaced the request', async () => {
    const app = application((_c, next) => next());
    app.post('/out', bodyLimit({ maxSize: 100 }), async (c) => c.json(await signOut(c, { redirect: false })));
    const browser = visitor(app);
    await signIn(browser, 'form');
    const cookie = browser.cookies.all().map(({ name, value }) => `${name}=${value}`);
    const headers = { origin, cookie: cookie.join('; '), 'transfer-encoding': 'chunked' };
    const page = await app.request(`${origin}/out`, { method: 'POST', headers, body: 'a=b' });
    expect(page.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^authjs\.session-token=;/));
  });

  it('passes a request on whose body a middleware has read without Hono', async () => {
    const app = application(async (c, next) => {
      await c.req.raw.text();
      await next();
    });
    app.post('/hook', (c) => c.text('received'));
    const page = await app.request(`${origin}/hook`, { method: 'POST', body: 'a=b' });
    expect([page.status, await page.text()]).toEqual([200, 'received']);
  });

  it('passes a response on that cannot be copied', async () => {
    const app = application((_c, next) => next());
    app.get('/socket', () => Response.error());
    expect((await app.request(`${origin}/socket`)).type).toBe('error');
  });

  it('answers 400 to a request with an invalid host, and writes nothing to the console', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const app = application((_c, next) => next());
    const page = await app.request('https://a,b/');
    const calls = log.mock.calls.length;
    log.mockRestore();
    expect([page.status, await page.text(), calls]).toEqual([400, 'Bad Request', 0]);
  });

  const own = HonoAuth(bindingConfig(), {});
  it.each<[string, (c: Context) => Promise<unknown>]>([
    ['signIn', (c) => own.signIn(c, 'credentials', { password: 'password' })],
    ['signOut', (c) => own.signOut(c)],
    ['update', (c) => own.update(c, {})],
    ['pendingMail', (c) => own.pendingMail(c)],
    ['requireSession', (c) => own.requireSession(c)],
    ['sessions', (c) => own.sessions(c).list()],
    ['account', (c) => own.account(c).list()],
    ['tokens', (c) => own.tokens(c).list()],
  ])('answers 400 if a handler calls %s for an invalid host, and does not show the message', async (_name, call) => {
    const app = new Hono().get('/', async (c) => c.json(await call(c)));
    const page = await app.request('https://a,b/');
    expect([page.status, await page.text()]).toEqual([400, 'Bad Request']);
  });

  it('takes the variables of Cloudflare Workers from the context', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' });
    const { secret, ...config } = bindingConfig();
    const own = HonoAuth(config);
    const app = new Hono().use(own.handler);
    const page = await app.request(`${origin}/auth/providers`, {}, { AUTH_SECRET: secret });
    expect([page.status, (await app.request(`${origin}/auth/providers`, {}, {})).status]).toEqual([200, 500]);
    vi.unstubAllGlobals();
  });

  it('makes the configuration for each request, if it is a function', async () => {
    const own = HonoAuth((c) => ({ ...bindingConfig(), basePath: c.req.header('x-base') ?? '/auth' }), {});
    const app = new Hono().use(own.handler);
    const headers = { 'x-base': '/members' };
    expect((await app.request(`${origin}/members/csrf`, { headers })).status).toBe(200);
    expect((await app.request(`${origin}/members/csrf`)).status).toBe(404);
  });

  it.each(['/shop', '/shop/auth/session', '/shop/auth/signin'])(
    'guards %s of a mounted application from outside, and names the whole path',
    async (path) => {
      const app = application((_c, next) => next());
      app.use('/shop/*', required()).mount('/shop', () => new Response('private'));
      const page = await app.request(origin + path, { headers: { accept: 'text/html' } });
      const callbackUrl = encodeURIComponent(path);
      expect([page.status, page.headers.get('location')]).toEqual([302, `/auth/signin?callbackUrl=${callbackUrl}`]);
    },
  );

  it("refuses with Hono's exception, whose cause is SessionRequired", async () => {
    const app = application((_c, next) => next());
    const causes: unknown[] = [];
    app.get('/api', async (c) => c.json(await requireSession(c)));
    app.get('/page', required(), (c) => c.text('private'));
    app.onError((error) => {
      causes.push(error.cause);
      return (error as HTTPException).getResponse();
    });
    const refused = await app.request(`${origin}/api`);
    expect([refused.status, await refused.text()]).toEqual([401, 'Sign in first.']);
    const page = await app.request(`${origin}/page`, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('location')]).toEqual([302, '/auth/signin?callbackUrl=%2Fpage']);
    expect(causes).toEqual([expect.any(SessionRequired), undefined]);
  });
});

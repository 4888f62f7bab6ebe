import { H3Auth, SessionRequired } from '@latchkey/h3';
import { Browser } from '@latchkey/testing';
import { bindingConfig } from '@latchkey/testing/binding-application';
import { H3, type H3Event, HTTPError, HTTPResponse } from 'h3';
import { describe, expect, it, vi } from 'vitest';

const origin = 'http://localhost:3000';
const { handler, auth, requireSession, signOut } = H3Auth(bindingConfig({ updateAge: 0 }), {});

/** An application whose errors are not written to the console. */
function application(config: ConstructorParameters<typeof H3>[0] = {}): H3 {
  return new H3({ silent: true, ...config }).use(handler);
}

/** A visitor of the application who has signed in. */
async function visitor(app: H3): Promise<Browser> {
  const browser = new Browser(async (request) => app.fetch(request), { origin });
  const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
  await browser.post('/auth/callback/credentials', { csrfToken, name: 'Ada', password: 'password', json: 'true' });
  return browser;
}

describe('H3Auth on h3 2', () => {
  it.each([
    ['a thrown error', {}],
    ['the value of an error handler', { onError: () => new HTTPResponse('failed', { status: 500 }) }],
  ])('puts the cookies of a sign-out on %s', async (_name, config) => {
    const app = application(config).get('/fails', async (event) => {
      await signOut(event);
      throw new Error('the database is down');
    });
    const page = await (await visitor(app)).get('/fails');
    expect([page.status, page.headers.get('cache-control')]).toEqual([500, 'private, no-store']);
    expect(page.headers.getSetCookie().join()).toContain('authjs.session-token=; ');
  });

  it.each([
    ['a response', () => new Response('page', { headers: { 'cache-control': 'private' } })],
    ['an HTTPResponse', () => new HTTPResponse('page', { headers: { 'cache-control': 'private' } })],
    ['a response with an error status', () => new Response('page', { status: 404 })],
  ])('renews the session on %s', async (_name, answer) => {
    const app = application().get('/', async (event) => {
      await auth(event);
      return answer();
    });
    const page = await (await visitor(app)).get('/');
    expect(page.headers.getSetCookie().join()).toContain('authjs.session-token=ey');
    expect(page.headers.get('cache-control')).toMatch(/^private/);
  });

  it('does not renew the session on a returned response that shared caches may store', async () => {
    const shared = new Response('page', { headers: { 'cache-control': 'public' } });
    const app = application().get('/', async (event) => (await auth(event)) && shared.clone());
    const page = await (await visitor(app)).get('/');
    expect([page.headers.get('cache-control'), page.headers.getSetCookie()]).toEqual(['public', []]);
  });

  it('lets no shared cache store a returned response with the cookies of a sign-out', async () => {
    const headers = { 'cache-control': 'public', 'cdn-cache-control': 'max-age=60' };
    const app = application().get('/', async (event) => (await signOut(event)) && new Response('page', { headers }));
    const page = await (await visitor(app)).get('/');
    const found = ['cache-control', 'cdn-cache-control'].map((name) => page.headers.get(name));
    expect(found).toEqual(['private, no-store', 'no-store']);
  });

  it('keeps the cache headers of an action, although earlier middleware has set others', async () => {
    const app = new H3().use((event) => void event.res.headers.set('cache-control', 'public')).use(handler);
    const page = await app.request('/auth/session');
    expect(page.headers.get('cache-control')).toContain('no-store');
  });

  it('guards a path in another spelling', async () => {
    const app = application().get('/admin/**', async (event) => {
      await requireSession(event);
      return 'private';
    });
    const headers = { accept: 'text/html' };
    const page = await app.request(`${origin}/%61dmin/users`, { headers });
    expect([page.status, page.headers.get('location')]).toEqual([302, '/auth/signin?callbackUrl=%2F%2561dmin%2Fusers']);
  });

  it.each(['/shop/auth/session', '/shop/auth/signin', '/shop/orders'])(
    'guards %s in the middleware of a mounted application, and names the whole path',
    async (path) => {
      const shop = new H3().use(async (event) => void (await requireSession(event))).all('/**', () => 'private');
      const page = await application()
        .mount('/shop', shop)
        .request(origin + path, { headers: { accept: 'text/html' } });
      const callbackUrl = encodeURIComponent(path);
      expect([page.status, page.headers.get('location')]).toEqual([302, `/auth/signin?callbackUrl=${callbackUrl}`]);
    },
  );

  it.each(['/auth/%73ession', '/auth/%73ignin'])('guards %s, at which no action answers', async (path) => {
    const app = application().all('/**', async (event) => (await requireSession(event)) ?? 'private');
    expect((await app.request(origin + path)).status).toBe(401);
  });

  it('names the whole path in a mounted application that has the middleware itself', async () => {
    const own = H3Auth({ ...bindingConfig(), basePath: '/shop/auth' }, {});
    const shop = new H3().use(own.handler).get('/account', (event) => own.requireSession(event));
    const app = new H3().mount('/shop', shop);
    const page = await app.request(`${origin}/shop/account`, { headers: { accept: 'text/html' } });
    expect(page.headers.get('location')).toBe('/shop/auth/signin?callbackUrl=%2Fshop%2Faccount');
    expect((await app.request(`${origin}/shop/auth/csrf`)).status).toBe(200);
  });

  it('refuses with an HTTPError whose cause is SessionRequired, and writes nothing to the console', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const errors: unknown[] = [];
    const app = application({ silent: false, onError: (error) => void errors.push(error) });
    app.get('/api', (event) => requireSession(event));
    const refused = await app.request(`${origin}/api`);
    const calls = log.mock.calls.length;
    log.mockRestore();
    expect([refused.status, await refused.json(), calls]).toEqual([
      401,
      { status: 401, statusText: 'Unauthorized', message: 'Sign in first.' },
      0,
    ]);
    expect(errors).toEqual([expect.any(HTTPError)]);
    expect((errors[0] as Error).cause).toBeInstanceOf(SessionRequired);
  });

  it('answers 400 to a request with an invalid host, and does not show the message', async () => {
    const app = application({ silent: false }).get('/', (event) => auth(event));
    const page = await app.request('https://a,b/');
    expect([page.status, await page.json()]).toEqual([
      400,
      { status: 400, statusText: 'Bad Request', message: 'Bad Request' },
    ]);
  });

  const own = H3Auth(bindingConfig(), {});
  it.each<[string, (event: H3Event) => Promise<unknown>]>([
    ['signIn', (event) => own.signIn(event, 'credentials', { password: 'password' })],
    ['signOut', (event) => own.signOut(event)],
    ['update', (event) => own.update(event, {})],
    ['pendingMail', (event) => own.pendingMail(event)],
    ['requireSession', (event) => own.requireSession(event)],
    ['sessions', (event) => own.sessions(event).list()],
    ['account', (event) => own.account(event).list()],
    ['tokens', (event) => own.tokens(event).list()],
  ])('answers 400 if a handler calls %s for an invalid host, and does not show the message', async (_name, call) => {
    const page = await new H3({ silent: true }).get('/', call).request('https://a,b/');
    expect([page.status, await page.json()]).toEqual([
      400,
      { status: 400, statusText: 'Bad Request', message: 'Bad Request' },
    ]);
  });

  it('throws CookiesNotWritable where the middleware is not mounted', async () => {
    const app = new H3().get('/', (event) =>
      signOut(event).then(
        () => 'signed out',
        (error: Error) => error.name,
      ),
    );
    expect(await (await app.request('/')).text()).toBe('CookiesNotWritable');
  });

  it.each([
    ['h3 2', (variables: object) => ({ runtime: { name: 'cloudflare', cloudflare: { env: variables } } })],
    ['Nitro 2', (variables: object) => ({ context: { cloudflare: { env: variables } } })],
  ])('takes the variables of Cloudflare Workers from the event of %s', async (_name, place) => {
    vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' });
    const { secret, ...config } = bindingConfig();
    const app = new H3().use(H3Auth(config).handler);
    const answer = (variables: object) =>
      app.fetch(Object.assign(new Request(`${origin}/auth/providers`), place(variables)) as Request);
    const statuses = [(await answer({ AUTH_SECRET: secret })).status, (await answer({})).status];
    vi.unstubAllGlobals();
    expect(statuses).toEqual([200, 500]);
  });

  it('makes the configuration for each request, if it is a function', async () => {
    const own = H3Auth((event) => ({ ...bindingConfig(), basePath: event.req.headers.get('x-base') ?? '/auth' }), {});
    const app = new H3().use(own.handler);
    const headers = { 'x-base': '/members' };
    expect((await app.request('/members/csrf', { headers })).status).toBe(200);
    expect((await app.request('/members/csrf')).status).toBe(404);
  });
});

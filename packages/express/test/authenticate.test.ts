import { request } from 'node:http';
import { AuthError, authenticate, ExpressAuth, type ExpressAuthConfig, SessionRequired } from '@latchkey/express';
import { Browser } from '@latchkey/testing';
import type { ErrorRequestHandler } from 'express';
import { describe, expect, it, vi } from 'vitest';
import { configuration, env, frameworks, send, serve, sessionCookie, signIn } from './site.ts';

const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
/** The headers of a browser that opens a page. */
const page = { accept, 'sec-fetch-mode': 'navigate' };

const onError: ErrorRequestHandler = (error, _request, response, _next) =>
  void response.status(error.status).json({ name: error.name, message: error.expose ? error.message : 'hidden' });

/** Sends a browser's request with exactly this address in its first line. */
function statusOf(port: number, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: page }, (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end();
  });
}

describe.each(frameworks)('authenticate() on %s', (_name, express) => {
  async function site(config: ExpressAuthConfig, required = false) {
    const seen = vi.fn();
    const app = express();
    app.use('/auth', ExpressAuth(config, env));
    app.use(authenticate(config, { required }, env), (_request, response) => {
      seen(response.locals['session']);
      response.json(response.locals);
    });
    const { origin, port } = await serve(app.use(onError));
    return { origin, port, seen, browser: new Browser(send, { origin }) };
  }

  it('sets res.locals.session to the session, or to null', async () => {
    const { browser } = await site(Object.freeze(configuration()));
    expect((await browser.get('/')).json()).toEqual({ session: null });
    await signIn(browser);
    expect((await browser.get('/')).json()).toMatchObject({ session: { user: { name: 'Ada' } } });
  });

  it.each([false, true])('refuses all requests if the configuration has a problem; required: %s', async (required) => {
    const { browser, seen } = await site(configuration({ secret: '' }), required);
    const answer = await browser.get('/', { headers: { cookie: await sessionCookie(), ...page } });
    expect([answer.status, answer.json()]).toEqual([500, { name: 'AuthError', message: 'hidden' }]);
    expect(seen).not.toHaveBeenCalled();
  });

  it('refuses all requests if a callback throws', async () => {
    const session = () => Promise.reject(new Error('down'));
    const { browser, seen } = await site(configuration({ callbacks: { session } }), true);
    expect((await browser.get('/', { headers: { cookie: await sessionCookie() } })).status).toBe(302);
    expect(seen).not.toHaveBeenCalled();
  });

  it("lets visitors sign in at the root, but does not take the application's pages for actions", async () => {
    const config = configuration({ basePath: '/' });
    const app = express().use(authenticate(config, { required: true }, env), ExpressAuth(config, env));
    const { origin } = await serve(app.use((_request, response) => void response.send('a page')));
    for (const path of ['/session', '/csrf', '/signin'])
      expect((await send(new Request(`${origin}${path}`, { headers: page }))).status).toBe(200);
    for (const path of ['/callback/orders', '/code/x', '/asset/logo.png', '/signin/x']) {
      const answer = await send(new Request(`${origin}${path}`, { headers: page }));
      expect([answer.status, answer.headers.get('location')]).toMatchObject([302, expect.stringContaining('/signin?')]);
    }
  });

  it('accepts signed-in visitors if a session is required', async () => {
    const { browser } = await site(configuration(), true);
    for (const method of ['GET', 'POST']) {
      const answer = await browser.open('/private', { method, headers: { cookie: await sessionCookie() } });
      expect([answer.status, answer.json()]).toMatchObject([200, { session: { user: { name: 'Ada' } } }]);
    }
  });

  it.each<[string, string, Record<string, string>]>([
    ['a program', 'GET', {}],
    ['a script', 'GET', { accept: '*/*', 'sec-fetch-mode': 'cors' }],
    ['a script that wants HTML', 'GET', { ...page, 'sec-fetch-mode': 'cors' }],
    ['a form', 'POST', page],
    ['a program that accepts anything', 'GET', { accept: '*/*' }],
  ])('refuses %s with 401', async (_who, method, headers) => {
    const { origin, seen } = await site(configuration(), true);
    const answer = await send(new Request(`${origin}/private`, { method, headers }));
    expect([answer.status, await answer.json()]).toEqual([401, { name: 'SessionRequired', message: 'Sign in first.' }]);
    expect(seen).not.toHaveBeenCalled();
  });

  it('answers a script itself, which no cache and no browser may take for something else', async () => {
    const app = express().use(authenticate(configuration(), { required: true }, env));
    const { origin } = await serve(app);
    const answer = await send(new Request(`${origin}/api/things`));
    expect([answer.status, await answer.json()]).toEqual([401, { name: 'SessionRequired', message: 'Sign in first.' }]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': expect.stringContaining('application/json'),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  it("hands the refusal to the error handlers with `refusal: 'error'`", async () => {
    const own: ErrorRequestHandler = (error, _request, response, _next) =>
      void response.status(error.status).send(error instanceof SessionRequired ? 'please sign in' : 'failed');
    const guard = authenticate(configuration(), { required: true, refusal: 'error' }, env);
    const { origin } = await serve(express().use(guard).use(own));
    const answer = await send(new Request(`${origin}/api/things`));
    expect([answer.status, await answer.text()]).toEqual([401, 'please sign in']);
  });

  it('sends a browser that opens a page to the sign-in page, and back', async () => {
    const { browser, origin } = await site(configuration(), true);
    const sent = await browser.get('/private?a=1&b=%26', { headers: page });
    expect([sent.status, sent.location]).toEqual([302, '/auth/signin?callbackUrl=%2Fprivate%3Fa%3D1%26b%3D%2526']);
    const form = browser.form(await browser.follow(sent), 'callback/credentials');
    const back = await browser.submit(form, { name: 'Ada', password: 'password' });
    expect(back.location).toBe(`${origin}/private?a=1&b=%26`);
    expect((await browser.follow(back)).json()).toMatchObject({ session: { user: { name: 'Ada' } } });
  });

  it('sends an older browser there, recognized by Accept', async () => {
    const { origin } = await site(configuration(), true);
    expect((await send(new Request(`${origin}/x`, { headers: { accept } }))).status).toBe(302);
  });

  it.each([
    ['/login', '/login?callbackUrl=%2Fx'],
    ['/login?from=guard', '/login?from=guard&callbackUrl=%2Fx'],
    ['https://id.example.com/x', 'https://id.example.com/x?callbackUrl=%2Fx'],
  ])('sends it to the application’s page %s, which is never guarded', async (signInPage, to) => {
    const { browser, seen } = await site(configuration({ pages: { signIn: signInPage } }), true);
    expect((await browser.get('/x', { headers: page })).location).toBe(to);
    expect(seen).not.toHaveBeenCalled();
    if (signInPage.startsWith('https')) return;
    const answer = await browser.get(`${signInPage}?error=SessionRequired`.replace(/\?(.*)\?/, '?$1&'), {
      headers: page,
    });
    expect([answer.status, answer.json()]).toEqual([200, { session: null }]);
    expect((await browser.get(`${signInPage.split('?')[0]}/more`, { headers: page })).status).toBe(302);
  });

  it.each(['/', '//', '//evil.test'])('sends it to this site with the base path %s', async (basePath) => {
    const { browser, origin } = await site(configuration({ basePath }), true);
    expect((await browser.get('/x', { headers: page })).redirect?.origin).toBe(origin);
  });

  it('guards a page that has the path of a sign-in page on another site', async () => {
    const { browser, seen } = await site(configuration({ pages: { signIn: 'https://id.example.com/x' } }), true);
    expect((await browser.get('/x', { headers: page })).status).toBe(302);
    expect(seen).not.toHaveBeenCalled();
  });

  it.each([
    ['http://id.example.com/x', {}],
    ['//id.example.com/x', {}],
    ['/\\id.example.com/x', {}],
    ['http://id.example.com/x', { AUTH_URL: 'http://app.example.com' }],
    ['http://localhost/x', {}],
    ['http://nowhere.invalid/x', {}],
  ])('guards it for any host that the request names: sign-in page %j, environment %j', async (signInPage, own) => {
    const seen = vi.fn();
    const config = configuration({ pages: { signIn: signInPage } });
    const app = express().use(authenticate(config, { required: true }, own), (_request, response) => {
      seen();
      response.end();
    });
    const { origin } = await serve(app.use(onError));
    for (const host of ['id.example.com', 'localhost', 'nowhere.invalid', '']) {
      const answer = await send(new Request(`${origin}/x`, { headers: { ...page, host } }));
      expect([answer.status, answer.headers.get('location')]).toEqual([
        302,
        expect.stringContaining(signInPage.slice(1)),
      ]);
    }
    expect(seen).not.toHaveBeenCalled();
  });

  it.each([
    // Express serves `/private/login` for the first two.
    'http://a%2fprivate/login',
    'javascript://private/login',
    'http://a;private/login',
    "http://a'private/login",
    'a://b/login',
  ])('guards the address %s, in which Express finds another path', async (address) => {
    const { port, seen } = await site(configuration({ pages: { signIn: '/login' } }), true);
    expect(await statusOf(port, address)).toBe(302);
    expect(seen).not.toHaveBeenCalled();
    expect(await statusOf(port, 'http://site.test/login')).toBe(200);
  });

  it.each(['ws://x/private', 'http://a@b/private'])(
    'guards the address %s, whose path is not known, with the sign-in page at the root',
    async (address) => {
      const { port, seen } = await site(configuration({ pages: { signIn: '/' } }), true);
      expect(await statusOf(port, address)).toBe(302);
      expect(seen).not.toHaveBeenCalled();
      expect(await statusOf(port, '/')).toBe(200);
    },
  );

  it('leaves a sign-in page with the origin of AUTH_URL open, for any host that the request names', async () => {
    const config = configuration({ pages: { signIn: 'https://app.example.com/x?a=1' } });
    const app = express().use(authenticate(config, { required: true }, { AUTH_URL: 'https://app.example.com/auth' }));
    const { origin } = await serve(app.use((_request, response) => void response.json(response.locals)));
    const answer = await send(new Request(`${origin}/x`, { headers: page }));
    expect([answer.status, await answer.json()]).toEqual([200, { session: null }]);
    expect((await send(new Request(`${origin}/y`, { headers: page }))).status).toBe(302);
  });

  it('leaves the sign-in page open if it runs before the handler', async () => {
    const config = configuration();
    const app = express()
      .use(authenticate(config, { required: true }, env))
      .use('/auth', ExpressAuth(config, env));
    const { browser } = await serve(app);
    expect((await browser.get('/auth/signin', { headers: page })).text()).toContain('<form');
  });

  it('keeps the callback URL on the site', async () => {
    const { browser, origin } = await site(configuration(), true);
    const sent = await browser.get(`${origin}//evil.test/x`, { headers: page });
    const form = browser.form(await browser.follow(sent), 'callback/credentials');
    const back = await browser.submit(form, { name: 'Ada', password: 'password' });
    expect(back.redirect?.origin).toBe(origin);
  });

  it.each<[Partial<ExpressAuthConfig>, string]>([
    [{ basePath: '/api/auth' }, '/api/auth/signin'],
    [{ basePath: 'api/auth/' }, '/api/auth/signin'],
    [{ pages: { signIn: 'login' } }, '/login'],
    [{ pages: { signIn: '?login=1' } }, '/?login=1'],
  ])('sends a browser to the sign-in page of %j', async (config, expected) => {
    const { browser } = await site(configuration(config), true);
    const { location = '' } = await browser.get('/deep/x', { headers: page });
    expect(location.replace(/[?&]callbackUrl=.*/, '')).toBe(expected);
    expect((await browser.get(expected, { headers: page })).status).toBe(200);
  });
});

describe('SessionRequired', () => {
  it('is not an AuthError', () => {
    const error = new SessionRequired();
    expect(error).not.toBeInstanceOf(AuthError);
    expect(error).toMatchObject({ status: 401, statusCode: 401, expose: true, name: 'SessionRequired' });
  });
});

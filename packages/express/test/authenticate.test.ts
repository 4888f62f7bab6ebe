import { encode } from '@latchkey/core/jwt';
import { AuthError, authenticate, ExpressAuth, type ExpressAuthConfig, SessionRequired } from '@latchkey/express';
import { Browser } from '@latchkey/testing';
import type { ErrorRequestHandler } from 'express';
import { describe, expect, it, vi } from 'vitest';
import { configuration, env, frameworks, secret, send, serve, signIn } from './site.ts';

const name = 'authjs.session-token';
const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
/** What a browser sends when it opens a page. */
const page = { accept, 'sec-fetch-mode': 'navigate' };

async function cookie(): Promise<string> {
  return `${name}=${await encode({ token: { name: 'Ada' }, secret, salt: name })}`;
}

const onError: ErrorRequestHandler = (error, _request, response, _next) =>
  void response.status(error.status).json({ name: error.name, message: error.expose ? error.message : 'hidden' });

describe.each(frameworks)('authenticate() on %s', (_name, express) => {
  async function site(config: ExpressAuthConfig, required = false) {
    const seen = vi.fn();
    const app = express();
    app.use('/auth', ExpressAuth(config, env));
    app.use(authenticate(config, { required }, env), (_request, response) => {
      seen(response.locals['session']);
      response.json(response.locals);
    });
    const { origin } = await serve(app.use(onError));
    return { origin, seen, browser: new Browser(send, { origin }) };
  }

  it('puts the session on res.locals, null when nobody is signed in', async () => {
    const { browser } = await site(Object.freeze(configuration()));
    expect((await browser.get('/')).json()).toEqual({ session: null });
    await signIn(browser);
    expect((await browser.get('/')).json()).toMatchObject({ session: { user: { name: 'Ada' } } });
  });

  it.each([false, true])('lets nobody in when the configuration is wrong; required: %s', async (required) => {
    const { browser, seen } = await site(configuration({ secret: '' }), required);
    const answer = await browser.get('/', { headers: { cookie: await cookie(), ...page } });
    expect([answer.status, answer.json()]).toEqual([500, { name: 'AuthError', message: 'hidden' }]);
    expect(seen).not.toHaveBeenCalled();
  });

  it('lets nobody in when the store is down or a callback throws', async () => {
    const session = () => Promise.reject(new Error('down'));
    const { browser, seen } = await site(configuration({ callbacks: { session } }), true);
    expect((await browser.get('/', { headers: { cookie: await cookie() } })).status).toBe(302);
    expect(seen).not.toHaveBeenCalled();
  });

  it('lets the signed-in in when a session is required', async () => {
    const { browser } = await site(configuration(), true);
    for (const method of ['GET', 'POST']) {
      const answer = await browser.open('/private', { method, headers: { cookie: await cookie() } });
      expect([answer.status, answer.json()]).toMatchObject([200, { session: { user: { name: 'Ada' } } }]);
    }
  });

  it.each<[string, string, Record<string, string>]>([
    ['a program', 'GET', {}],
    ['a script', 'GET', { accept: '*/*', 'sec-fetch-mode': 'cors' }],
    ['a script that wants HTML', 'GET', { ...page, 'sec-fetch-mode': 'cors' }],
    ['a form', 'POST', page],
  ])('refuses %s with 401', async (_who, method, headers) => {
    const { origin, seen } = await site(configuration(), true);
    const answer = await send(new Request(`${origin}/private`, { method, headers }));
    expect([answer.status, await answer.json()]).toEqual([401, { name: 'SessionRequired', message: 'Sign in first.' }]);
    expect(seen).not.toHaveBeenCalled();
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

  it.each([
    ['sends an old one there, by what it accepts', { accept }, 302],
    ['refuses programs that accept anything', { accept: '*/*' }, 401],
    ['refuses programs that do not say what they accept', {}, 401],
  ])('%s', async (_what, headers, status) => {
    const { origin } = await site(configuration(), true);
    expect((await send(new Request(`${origin}/x`, { headers }))).status).toBe(status);
  });

  it.each([
    ['/login', '/login?callbackUrl=%2Fx'],
    ['/login?from=guard', '/login?from=guard&callbackUrl=%2Fx'],
    ['https://id.example.com/x', 'https://id.example.com/x?callbackUrl=%2Fx'],
  ])('sends it to %s where the application says so, which is never guarded', async (signInPage, to) => {
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

  it.each(['/', '//', '//evil.test'])('sends it to no other site with the base path %s', async (basePath) => {
    const { browser, origin } = await site(configuration({ basePath }), true);
    expect((await browser.get('/x', { headers: page })).redirect?.origin).toBe(origin);
  });

  it('guards a page of the same path on another site’s behalf', async () => {
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
  ])('guards it whatever host the request names: sign-in page %j, environment %j', async (signInPage, own) => {
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

  it('leaves a page open that is written with the origin of AUTH_URL, whatever host the request names', async () => {
    const config = configuration({ pages: { signIn: 'https://app.example.com/x?a=1' } });
    const app = express().use(authenticate(config, { required: true }, { AUTH_URL: 'https://app.example.com/auth' }));
    const { origin } = await serve(app.use((_request, response) => void response.json(response.locals)));
    const answer = await send(new Request(`${origin}/x`, { headers: page }));
    expect([answer.status, await answer.json()]).toEqual([200, { session: null }]);
    expect((await send(new Request(`${origin}/y`, { headers: page }))).status).toBe(302);
  });

  it('may stand before the handler: its sign-in page is open all the same', async () => {
    const config = configuration();
    const app = express()
      .use(authenticate(config, { required: true }, env))
      .use('/auth', ExpressAuth(config, env));
    const { browser } = await serve(app);
    expect((await browser.get('/auth/signin', { headers: page })).text()).toContain('<form');
  });

  it('keeps the way back on the site', async () => {
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
  ])('finds the page where %j says', async (config, expected) => {
    const { browser } = await site(configuration(config), true);
    const { location = '' } = await browser.get('/deep/x', { headers: page });
    expect(location.replace(/[?&]callbackUrl=.*/, '')).toBe(expected);
    expect((await browser.get(expected, { headers: page })).status).toBe(200);
  });
});

describe('SessionRequired', () => {
  it('is no AuthError: nothing is wrong', () => {
    const error = new SessionRequired();
    expect(error).not.toBeInstanceOf(AuthError);
    expect(error).toMatchObject({ status: 401, statusCode: 401, expose: true, name: 'SessionRequired' });
  });
});

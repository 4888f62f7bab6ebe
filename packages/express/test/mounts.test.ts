import { ExpressAuth, type ExpressAuthHandler } from '@latchkey/express';
import type { Express } from 'express';
import { describe, expect, it, vi } from 'vitest';
import { configuration, env, frameworks, serve, signIn } from './site.ts';

type Mount = (app: Express, handler: ExpressAuthHandler, router: () => Express) => unknown;

/** How the handler may be mounted; `at` is where that is. */
const everywhere: [form: string, at: string, mount: Mount][] = [
  ["use('/auth')", '/auth', (app, handler) => app.use('/auth', handler)],
  ["use('/auth/')", '/auth', (app, handler) => app.use('/auth/', handler)],
  ["use('/api/v1/auth')", '/api/v1/auth', (app, handler) => app.use('/api/v1/auth', handler)],
  ["use('/:tenant/auth')", '/acme/auth', (app, handler) => app.use('/:tenant/auth', handler)],
  [
    "use('/api', router.use('/auth'))",
    '/api/auth',
    (app, handler, router) => app.use('/api', router().use('/auth', handler)),
  ],
  ["use(['/sso', '/auth'])", '/auth', (app, handler) => app.use(['/sso', '/auth'], handler)],
  ['use()', '/auth', (app, handler) => app.use(handler)],
  ["all('/auth/:action')", '/auth', (app, handler) => app.all(['/auth/:action', '/auth/:action/:provider'], handler)],
  ['use(/^\\/auth\\/.*/)', '/auth', (app, handler) => app.use(/^\/auth\/.*/, handler)],
  ['use(/^\\/sso\\/(.*)/)', '/sso', (app, handler) => app.use(/^\/sso\/(.*)/, handler)],
];
const wildcards: Record<(typeof frameworks)[number][0], typeof everywhere> = {
  'Express 4': [
    ["use('/auth/*')", '/auth', (app, handler) => app.use('/auth/*', handler)],
    ["use('/api/*/auth/*')", '/api/v2/auth', (app, handler) => app.use('/api/*/auth/*', handler)],
    ["all('/auth/*')", '/auth', (app, handler) => app.all('/auth/*', handler)],
    [
      "use('/api', router.use('/auth/*'))",
      '/api/auth',
      (app, handler, router) => app.use('/api', router().use('/auth/*', handler)),
    ],
  ],
  'Express 5': [
    ["use('/auth/{*rest}')", '/auth', (app, handler) => app.use('/auth/{*rest}', handler)],
    ["use('/auth/*splat')", '/auth', (app, handler) => app.use('/auth/*splat', handler)],
    ["use('/api/*version/auth/*rest')", '/api/v2/auth', (app, handler) => app.use('/api/*version/auth/*rest', handler)],
    ["all('/auth/{*rest}')", '/auth', (app, handler) => app.all('/auth/{*rest}', handler)],
    [
      "use('/api', router.use('/auth/*rest'))",
      '/api/auth',
      (app, handler, router) => app.use('/api', router().use('/auth/*rest', handler)),
    ],
  ],
};

describe.each(frameworks)('%s', (name, express) => {
  const router = () => express.Router() as unknown as Express;

  describe.each([...everywhere, ...wildcards[name]])('mounted with %s', (_form, at, mount) => {
    it('signs in, knows the session, and signs out', async () => {
      const app = express();
      mount(app, ExpressAuth(Object.freeze(configuration()), env), router);
      const { browser, origin } = await serve(app);

      const providers = (await browser.get(`${at}/providers`)).json<Record<string, { callbackUrl: string }>>();
      expect(providers['credentials']?.callbackUrl).toBe(`${origin}${at}/callback/credentials`);
      const back = await signIn(browser, at);
      expect([back.status, back.location]).toEqual([302, origin]);
      expect((await browser.get(`${at}/session/`)).json()).toMatchObject({ user: { name: 'Ada' } });
      const goodbye = await browser.get(`${at}/signout`);
      expect((await browser.submit(browser.form(goodbye))).status).toBe(302);
      expect((await browser.get(`${at}/session?x=1`)).json()).toBe(null);
    });

    it('answers any method and any path below it', async () => {
      const app = express();
      mount(app, ExpressAuth(configuration(), env), router);
      app.use((_request, response) => void response.status(418).send('passed on'));
      const { browser } = await serve(app);
      const page = await browser.get(`${at}/nothing`);
      // Without a mount, only the paths of actions belong to the handler.
      const passes = /^use\(\)|:action/.test(_form);
      expect([page.status, page.text()]).toEqual(passes ? [418, 'passed on'] : [400, '"Bad request."']);
      expect((await browser.open(`${at}/session`, { method: 'PUT' })).status).toBe(400);
      expect((await browser.open(`${at}/session`, { method: 'HEAD' })).text()).toBe('');
      expect((await browser.get('/elsewhere')).status).toBe(418);
    });
  });

  it.each(wildcards[name])('mounted with %s, takes little time for a path of slashes', async (_form, at, mount) => {
    const app = express();
    mount(app, ExpressAuth(configuration(), env), router);
    const { browser } = await serve(app);
    const before = cpuUsage();
    // With quadratic time, each of the requests would take 0.2 s.
    for (let count = 0; count < 10; count++) {
      expect((await browser.get(`${at}/session${'/'.repeat(15_000)}x`)).status).toBe(400);
    }
    expect(cpuUsage().user - before.user).toBeLessThan(1_000_000);
  });

  it.each<[form: string, mount: Mount]>([
    ['use()', (app, handler) => app.use(handler)],
    ["use('/')", (app, handler) => app.use('/', handler)],
    ['use(router.use())', (app, handler, router) => app.use(router().use(handler))],
  ])('mounted with %s, leaves the root of the site to the application', async (_form, mount) => {
    const app = express();
    const seen = vi.fn();
    mount(app, ExpressAuth(configuration(), env), router);
    app.use((request, response) => {
      seen(request.url);
      response.send('the application');
    });
    const { browser, origin } = await serve(app);
    const paths = ['signin', 'signin/x', 'signout', 'session', 'csrf', 'providers', 'error', 'verify-request'];
    for (const path of [...paths, 'callback/credentials', 'asset/x.js']) {
      expect((await browser.get(`/${path}`)).text()).toBe('the application');
      expect((await browser.post(`/${path}`, { name: 'Ada', password: 'password' })).text()).toBe('the application');
    }
    expect(seen).toHaveBeenCalledTimes(20);
    expect((await browser.get('/auth/providers')).text()).toContain(`${origin}/auth/signin/credentials`);
  });

  it('answers at the root with the base path /', async () => {
    const app = express().use(ExpressAuth(configuration({ basePath: '/' }), env));
    app.use((_request, response) => void response.send('the application'));
    const { browser } = await serve(app);
    expect((await browser.get('/session')).json()).toBeNull();
    expect((await browser.get('/elsewhere')).text()).toBe('the application');
  });

  it.each<[title: string, at: string, basePath: string | undefined, url: string | undefined, warned: boolean]>([
    ['basePath', '/auth', '/api/auth', undefined, true],
    ['the path of AUTH_URL', '/auth', undefined, 'http://localhost:3000/api/auth', true],
    ['basePath, which is what it would be anyhow,', '/sso', '/auth', undefined, true],
    ['basePath, written differently,', '/auth', 'auth/', undefined, false],
    ['the path of AUTH_URL', '/api/auth', undefined, 'http://localhost:3000/api/auth/', false],
    ['an AUTH_URL without a path', '/sso', undefined, 'http://localhost:3000/', false],
    ['nothing', '/sso', undefined, undefined, false],
  ])('with %s (mounted at %s): %s %s, warns: %s', async (_title, at, basePath, url, warned) => {
    const warn = vi.fn();
    const own = url === undefined ? env : { AUTH_URL: url };
    const app = express().use(at, ExpressAuth(configuration({ basePath, logger: { warn } }), own));
    const { browser } = await serve(app);
    for (const path of [at, at.toUpperCase()]) expect((await browser.get(`${path}/session`)).json()).toBeNull();
    const said = warned ? [['env-url-basepath-mismatch', expect.stringContaining(basePath ?? '/api/auth')]] : [];
    expect(warn.mock.calls).toEqual(said);
  });

  it('keeps two mounts of one configuration apart', async () => {
    const config = configuration();
    const app = express();
    app.use('/one', ExpressAuth(config, env));
    app.use('/two', ExpressAuth(config, env));
    const { browser, origin } = await serve(app);
    for (const at of ['/one', '/two', '/one']) {
      const providers = (await browser.get(`${at}/providers`)).json<Record<string, { signinUrl: string }>>();
      expect(providers['credentials']?.signinUrl).toBe(`${origin}${at}/signin/credentials`);
    }
  });

  it('answers a request line with an absolute address', async () => {
    const app = express();
    app.use('/auth', ExpressAuth(configuration(), env));
    const { port, origin } = await serve(app);
    const { request } = await import('node:http');
    const body = await new Promise<string>((resolve, reject) => {
      request({ port, path: `http://elsewhere.test/auth/providers`, host: '127.0.0.1' }, async (answer) => {
        resolve(Buffer.concat(await answer.toArray()).toString());
      })
        .on('error', reject)
        .end();
    });
    expect(JSON.parse(body).credentials.signinUrl).toBe(`${origin}/auth/signin/credentials`);
  });
});

/** Microseconds of this thread, which other work does not change. */
function cpuUsage(): NodeJS.CpuUsage {
  return (process.threadCpuUsage ?? process.cpuUsage)();
}

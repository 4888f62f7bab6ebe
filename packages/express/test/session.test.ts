import { AuthError, ExpressAuth, type ExpressAuthConfig, getSession } from '@latchkey/express';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { describe, expect, it } from 'vitest';
import { configuration, env, frameworks, serve, sessionCookie, signIn } from './site.ts';

describe.each(frameworks)('getSession on %s', (name, express) => {
  function site(config: ExpressAuthConfig, mount = '/auth') {
    const app = express();
    const show: RequestHandler = async (request, response, next) => {
      try {
        response.json(await getSession(request, config, env));
      } catch (error) {
        next(error); // Express 4 does not look at promises
      }
    };
    app.get('/before', show);
    app.use(mount, ExpressAuth(config, env));
    app.get('/after', show);
    const fail: ErrorRequestHandler = (error, _request, response, _next) =>
      void response
        .status(error.status ?? 500)
        .json({ isOurs: error instanceof AuthError, message: error.message, expose: error.expose });
    return serve(app.use(fail));
  }

  async function cookie(): Promise<{ headers: { cookie: string } }> {
    return { headers: { cookie: await sessionCookie() } };
  }

  it.each(['/auth', '/deep/down/auth'])(
    'returns the session of a sign-in at %s, before and after that middleware',
    async (mount) => {
      const { browser } = await site(Object.freeze(configuration()), mount);
      expect((await browser.get('/before')).json()).toBe(null);
      await signIn(browser, mount);
      for (const path of ['/before', '/after']) {
        const session = (await browser.get(path)).json<{ user: object; expires: string }>();
        expect(session.user).toEqual({ name: 'Ada', email: 'ada@example.com' });
        expect(Date.parse(session.expires)).toBeGreaterThan(Date.now());
      }
    },
  );

  it.each([
    ['a missing secret', { secret: [] }],
    ['a host that is not trusted', { trustHost: false }],
  ])('throws for %s', async (_title, wrong) => {
    const { browser } = await site(configuration(wrong));
    for (const path of ['/before', '/after']) {
      const page = await browser.get(path, await cookie());
      expect(page.status).toBe(500);
      expect(page.json()).toMatchObject({ isOurs: true, message: expect.stringContaining('log'), expose: false });
    }
  });

  it.each([
    ['a wrong configuration', configuration({ secret: '' }), /AUTH_SECRET \(`secret`\) is not set/],
    ['no configuration', undefined as unknown as ExpressAuthConfig, /needs the configuration/],
  ])('leads to the status 500 for %s, if the handler does not catch', async (_title, config, text) => {
    const app = express();
    app.use('/auth', ExpressAuth(configuration({ secret: '' }), env));
    app.get('/health', (_request, response) => void response.send('ok'));
    app.get('/', async (request, response) => {
      const both = await Promise.all([getSession(request, config, env), getSession(request, config, env)]);
      response.json(both);
    });
    const { browser } = await serve(app);
    expect((await browser.get('/auth/signin')).status).toBe(500);
    for (let times = 0; times < 2; times++) {
      const page = await browser.get('/', await cookie());
      expect([page.status, page.text()]).toEqual([500, expect.stringMatching(text)]);
    }
    expect((await browser.get('/health')).text()).toBe('ok');
  });

  it('has the status 400 for a request without a host; on Express 4, the handler goes on without a session', async () => {
    const app = express().set('trust proxy', true);
    app.get('/', (request, response, next) => {
      getSession(request, configuration(), env).then((session) => response.json({ session }), next);
    });
    const fail: ErrorRequestHandler = ({ status, statusCode, expose }, _request, response, _next) =>
      void response.status(status).json({ statusCode, expose });
    const { browser } = await serve(app.use(fail));
    const page = await browser.get('/', { headers: { 'x-forwarded-host': 'a b' } });
    const refused = [400, { statusCode: 400, expose: false }];
    expect([page.status, page.json()]).toEqual(name === 'Express 4' ? [200, { session: null }] : refused);
  });

  it('works with a request outside of a middleware', async () => {
    const { headers } = await cookie();
    const request = { protocol: 'http', app: express(), socket: {}, headers: { host: 'localhost:3000', ...headers } };
    expect(await getSession(request, configuration(), env)).toMatchObject({ user: { name: 'Ada' } });
  });

  it('is read once per request, and each caller receives a copy', async () => {
    const reads: string[] = [];
    const config = configuration({
      callbacks: {
        session({ session }) {
          reads.push('read');
          return session;
        },
      },
    });
    const app = express();
    app.get('/', async (request, response, next) => {
      try {
        const [one, two] = await Promise.all([getSession(request, config, env), getSession(request, config, env)]);
        if (one) one.expires = 'changed';
        const other = await getSession(request, configuration(), env);
        request.headers.cookie = '';
        response.json([
          one?.expires,
          two?.expires !== 'changed',
          two?.user,
          (await getSession(request, config, env)) ?? 'no session',
          other?.user,
        ]);
      } catch (error) {
        next(error);
      }
    });
    const { browser } = await serve(app);
    const user = { name: 'Ada' };
    expect((await browser.get('/', await cookie())).json()).toEqual(['changed', true, user, 'no session', user]);
    expect(reads).toEqual(['read']);
    await browser.get('/', await cookie());
    expect(reads).toEqual(['read', 'read']);
  });

  it('names the missing configuration', async () => {
    const { browser } = await site(undefined as unknown as ExpressAuthConfig);
    expect((await browser.get('/before')).json()).toMatchObject({ message: expect.stringContaining('ExpressAuth') });
  });
});

import { encode } from '@latchkey/core/jwt';
import { AuthError, ExpressAuth, type ExpressAuthConfig, getSession } from '@latchkey/express';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { describe, expect, it } from 'vitest';
import { configuration, env, frameworks, secret, serve, signIn } from './site.ts';

const cookieName = 'authjs.session-token';

describe.each(frameworks)('getSession on %s', (_name, express) => {
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

  async function cookie(maxAge?: number): Promise<{ headers: { cookie: string } }> {
    const token = await encode({ token: { name: 'Ada' }, secret, salt: cookieName, ...(maxAge && { maxAge }) });
    return { headers: { cookie: `${cookieName}=${token}` } };
  }

  it.each(['/auth', '/deep/down/auth'])(
    'knows who signed in at %s, before and after that middleware',
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

  it('knows the session before any other request has been served', async () => {
    const { browser } = await site(configuration());
    expect((await browser.get('/before', await cookie())).json()).toMatchObject({ user: { name: 'Ada' } });
  });

  it.each([
    ['a session that has expired', () => cookie(-60)],
    ['somebody else’s token', async () => ({ headers: { cookie: `${cookieName}=eyJhbGciOiJub25lIn0.e30.` } })],
    ['no cookie', async () => ({ headers: {} })],
  ])('is null with %s', async (_title, options) => {
    const { browser } = await site(configuration());
    expect((await browser.get('/after', await options())).json()).toBe(null);
  });

  it('is null when a callback fails or shows nothing', async () => {
    for (const session of [
      () => Promise.reject(new Error('the store is down')),
      () => ({}) as { expires: string },
      () => null as unknown as { expires: string },
    ]) {
      const { browser } = await site(configuration({ callbacks: { session } }));
      expect((await browser.get('/after', await cookie())).json()).toBe(null);
    }
  });

  it('is what a client would see of the session', async () => {
    const seen = { expires: 'never', when: new Date(0), nothing: undefined };
    const { browser } = await site(configuration({ callbacks: { session: () => seen } }));
    const fromServer = (await browser.get('/after', await cookie())).text();
    expect(fromServer).toBe('{"expires":"never","when":"1970-01-01T00:00:00.000Z"}');
    expect((await browser.get('/auth/session', await cookie())).text()).toBe(fromServer);
  });

  it.each([
    ['a missing secret', { secret: [] }],
    ['a host that is not trusted', { trustHost: false }],
  ])('never takes %s for a session', async (_title, wrong) => {
    const { browser } = await site(configuration(wrong));
    for (const path of ['/before', '/after']) {
      const page = await browser.get(path, await cookie());
      expect(page.status).toBe(500);
      expect(page.json()).toMatchObject({ isOurs: true, message: expect.stringContaining('log'), expose: false });
    }
  });

  it('blames the request when that names no host', async () => {
    const { browser } = await site(configuration());
    const app = express().set('trust proxy', true);
    app.get('/', (request, _response, next) => void getSession(request, configuration(), env).catch(next));
    const fail: ErrorRequestHandler = ({ status, statusCode, expose }, _request, response, _next) =>
      void response.status(status).json({ statusCode, expose });
    const { browser: behind } = await serve(app.use(fail));
    const page = await behind.get('/', { headers: { 'x-forwarded-host': 'a b' } });
    expect([page.status, page.json()]).toEqual([400, { statusCode: 400, expose: false }]);
    expect((await browser.get('/before')).status).toBe(200);
  });

  it('needs nothing but the request', async () => {
    const { headers } = await cookie();
    const request = { protocol: 'http', app: express(), socket: {}, headers: { host: 'localhost:3000', ...headers } };
    expect(await getSession(request, configuration(), env)).toMatchObject({ user: { name: 'Ada' } });
  });

  it('is read once in a request, and everybody has an own copy', async () => {
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
          (await getSession(request, config, env)) ?? 'nobody',
          other?.user,
        ]);
      } catch (error) {
        next(error);
      }
    });
    const { browser } = await serve(app);
    const user = { name: 'Ada' };
    expect((await browser.get('/', await cookie())).json()).toEqual(['changed', true, user, 'nobody', user]);
    expect(reads).toEqual(['read']);
    await browser.get('/', await cookie());
    expect(reads).toEqual(['read', 'read']);
  });

  it('says what is missing when it is called without a configuration', async () => {
    const { browser } = await site(undefined as unknown as ExpressAuthConfig);
    expect((await browser.get('/before')).json()).toMatchObject({ message: expect.stringContaining('ExpressAuth') });
  });
});

import formbody from '@fastify/formbody';
import { FastifyAuth } from '@latchkey/fastify';
import { Browser } from '@latchkey/testing';
import { bindingConfig } from '@latchkey/testing/binding-application';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

const page = { accept: 'text/html' };

async function listening(app: FastifyInstance): Promise<string> {
  onTestFinished(() => app.close());
  return app.listen({ host: '127.0.0.1', port: 0 });
}

async function signIn(browser: Browser, mount = '/auth') {
  const { csrfToken } = (await browser.get(`${mount}/csrf`)).json<{ csrfToken: string }>();
  return browser.post(`${mount}/callback/credentials`, { csrfToken, name: 'Ada', password: 'password' });
}

describe('FastifyAuth', () => {
  it.each([false, true])('reads its own forms, with a parser for forms: %s', async (hasParser) => {
    const { plugin, auth } = FastifyAuth(bindingConfig(), {});
    const app = fastify();
    if (hasParser) await app.register(formbody);
    await app.register(plugin);
    app.get('/', async (request) => ({ session: await auth(request) }));
    const browser = new Browser(fetch, { origin: await listening(app) });
    await signIn(browser);
    expect((await browser.get('/')).json()).toMatchObject({ session: { user: { name: 'Ada' } } });
  });

  it('leaves the parsers of the application alone', async () => {
    const app = fastify();
    await app.register(FastifyAuth(bindingConfig(), {}).plugin);
    app.post('/echo', async (request) => request.body);
    const origin = await listening(app);
    const headers = { 'content-type': 'application/json' };
    expect(await (await fetch(`${origin}/echo`, { method: 'POST', headers, body: '{"a":1}' })).json()).toEqual({
      a: 1,
    });
    const form = await fetch(`${origin}/echo`, { method: 'POST', body: new URLSearchParams({ a: '1' }) });
    expect(form.status).toBe(415);
  });

  it('lets the hooks of other plugins change its replies', async () => {
    const app = fastify();
    app.addHook('onSend', async (_request, reply) => void reply.header('x-frame-options', 'DENY'));
    await app.register(FastifyAuth(bindingConfig(), {}).plugin);
    const page = await fetch(`${await listening(app)}/auth/csrf`);
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.getSetCookie().map((line) => line.split('=')[0])).toContain('authjs.csrf-token');
  });

  it('mounts below the prefix of a part of the application, whose guards redirect there', async () => {
    const { plugin, required } = FastifyAuth(bindingConfig(), {});
    const app = fastify();
    await app.register(
      async (shop) => {
        await shop.register(plugin);
        shop.get('/account', { preHandler: required() }, async () => 'private');
      },
      { prefix: '/shop' },
    );
    const browser = new Browser(fetch, { origin: await listening(app) });
    const page = await app.inject({ url: '/shop/account', headers: { accept: 'text/html' } });
    const target = '/shop/auth/signin?callbackUrl=%2Fshop%2Faccount';
    expect([page.statusCode, page.headers.location]).toEqual([302, target]);
    await signIn(browser, '/shop/auth');
    expect((await browser.get('/shop/account')).text()).toBe('private');
  });

  it('throws for each refusal of `requireSession`: Fastify answers with 401', async () => {
    const { plugin, requireSession } = FastifyAuth(bindingConfig(), {});
    const app = fastify();
    await app.register(plugin);
    app.get('/api', async (request) => requireSession(request));
    const page = await fetch(`${await listening(app)}/api`, { headers: { accept: 'text/html' } });
    expect([page.status, await page.json()]).toMatchObject([401, { message: 'Sign in first.' }]);
  });

  it('only reads the session if the plugin is not registered, because no hook sets cookies', async () => {
    const { auth, signOut } = FastifyAuth(bindingConfig(), {});
    const app = fastify();
    app.get('/', async (request) => ({ session: await auth(request) }));
    app.get('/out', async (request) => signOut(request));
    app.setErrorHandler((error: Error, _request, reply) => reply.code(500).send(error.name));
    const origin = await listening(app);
    expect(await (await fetch(origin)).json()).toEqual({ session: null });
    expect(await (await fetch(`${origin}/out`)).text()).toBe('CookiesNotWritable');
  });

  it('does not run a guarded handler for a visitor who is redirected', async () => {
    const { plugin, required } = FastifyAuth(bindingConfig(), {});
    const app = fastify();
    await app.register(plugin);
    const ran = vi.fn();
    const guard = { preHandler: required() };
    app.get('/raw', guard, (_request, reply) => {
      ran();
      reply.hijack();
      reply.raw.end('private');
    });
    app.get('/async', guard, async (_request, reply) => {
      ran();
      return reply.header('x-private', 'yes').send('private');
    });
    for (const url of ['/raw', '/async']) {
      const { statusCode, headers, body } = await app.inject({ url, headers: page });
      expect([statusCode, headers.location, headers['x-private'], body]).toEqual([
        302,
        `/auth/signin?callbackUrl=%2F${url.slice(1)}`,
        undefined,
        '',
      ]);
    }
    expect(ran).not.toHaveBeenCalled();
  });

  it("hides the problems of the configuration in Fastify's own answer to an error", async () => {
    const { plugin, auth, required } = FastifyAuth(bindingConfig({ problem: true }), {});
    const app = fastify();
    const causes: unknown[] = [];
    app.addHook('onError', async (_request, _reply, { cause }) => {
      causes.push(cause);
    });
    await app.register(plugin);
    app.get('/', async (request) => auth(request));
    app.get('/guarded', { preHandler: required() }, async () => 'private');
    for (const url of ['/', '/guarded']) {
      const answer = (await app.inject({ url })).json();
      expect(answer).toMatchObject({ statusCode: 500, message: 'Internal Server Error' });
    }
    // For the log of the application.
    const ofOperator = { err: { message: expect.stringContaining('AUTH_SECRET') } };
    expect(causes).toMatchObject([ofOperator, ofOperator]);
  });

  const own = FastifyAuth(bindingConfig(), {});
  it.each<[string, (request: FastifyRequest) => Promise<unknown>]>([
    ['auth', (request) => own.auth(request)],
    ['signIn', (request) => own.signIn(request, 'credentials', { password: 'password' })],
    ['signOut', (request) => own.signOut(request)],
    ['update', (request) => own.update(request, {})],
    ['pendingMail', (request) => own.pendingMail(request)],
    ['requireSession', (request) => own.requireSession(request)],
    ['sessions', (request) => own.sessions(request).list()],
    ['account', (request) => own.account(request).list()],
    ['tokens', (request) => own.tokens(request).list()],
  ])('answers 400 if a handler calls %s for an invalid host, and does not show the message', async (_name, call) => {
    const app = fastify().get('/', call);
    const answer = (await app.inject({ url: '/', headers: { host: 'a,b' } })).json();
    expect(answer).toMatchObject({ statusCode: 400, message: 'Bad Request' });
  });

  it('keeps the message of a failed sign-in, and of a call without the plugin', async () => {
    const wrong = { password: 'wrong', redirect: false };
    const app = fastify();
    await app.register(own.plugin);
    app.get('/wrong', async (request) => own.signIn(request, 'credentials', wrong).catch((error: Error) => error.name));
    expect((await app.inject({ url: '/wrong' })).body).toBe('CredentialsSignin');
    const without = fastify().get('/', (request) => own.signOut(request));
    expect((await without.inject({ url: '/' })).json().message).toContain('cookies cannot be set here');
  });

  it('answers actions so that no cache keeps them, also if a hook has allowed it', async () => {
    const app = fastify();
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'cache-control': 'public, max-age=60', 'cdn-cache-control': 'max-age=60' });
    });
    await app.register(FastifyAuth(bindingConfig(), {}).plugin);
    const { headers } = await app.inject({ url: '/auth/session' });
    expect(headers['cache-control']).toMatch(/^private,.* no-store$/);
    expect(headers['cdn-cache-control']).toBeUndefined();
  });
});

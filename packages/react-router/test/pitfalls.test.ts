import { ReactRouterAuth, type RouterContext } from '@latchkey/react-router';
import { bindingConfig } from '@latchkey/testing/binding-application';
import { RouterContextProvider } from 'react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';

const origin = 'http://localhost:3000';
const own = ReactRouterAuth(bindingConfig(), {});

/** Passes a request through `sessionMiddleware` to a loader, as React Router does. */
function run(
  { sessionMiddleware }: Pick<typeof own, 'sessionMiddleware'>,
  request: Request,
  loader: (args: { request: Request; context: RouterContext }) => Promise<unknown>,
  context = new RouterContextProvider(),
): Promise<Response> {
  const args = { request, context };
  return sessionMiddleware(args, async () => {
    const result = await loader(args).catch((error: unknown) => error);
    if (result instanceof Error) throw result;
    return result instanceof Response ? result : Response.json(result);
  });
}

afterEach(() => vi.unstubAllEnvs());

describe('ReactRouterAuth', () => {
  it.each([
    ['React Router 7 without the flag', undefined],
    ['React Router 7 without the flag, and with an own context', {}],
    ['an application without the middleware', new RouterContextProvider()],
  ])('says what is missing: %s', async (_, context) => {
    const calls = [own.auth, own.requireSession, own.signOut, (c: RouterContext) => own.update(c, {})];
    for (const call of calls) {
      const message = /`sessionMiddleware` has not run.*app\/root\.tsx.*v8_middleware/;
      await expect(call(context as RouterContext)).rejects.toThrow(message);
    }
  });

  it.each<[string, (context: RouterContext) => Promise<unknown>]>([
    ['auth', (context) => own.auth(context)],
    ['signIn', (context) => own.signIn(context, 'credentials', { password: 'password' })],
    ['signOut', (context) => own.signOut(context)],
    ['update', (context) => own.update(context, {})],
    ['pendingMail', (context) => own.pendingMail(context)],
    ['requireSession', (context) => own.requireSession(context)],
    ['sessions', (context) => own.sessions(context).list()],
    ['account', (context) => own.account(context).list()],
    ['tokens', (context) => own.tokens(context).list()],
  ])('answers 400 if a loader calls %s for an invalid host', async (_name, call) => {
    const response = await run(own, new Request('https://a,b/'), ({ context }) => call(context));
    expect([response.status, await response.text()]).toEqual([400, 'Bad Request']);
  });

  it('refuses a context that the server passes to all requests: visitors would get sessions of others', async () => {
    const context = new RouterContextProvider();
    const read = () => run(own, new Request(origin), async (args) => own.auth(args.context), context);
    expect((await read()).status).toBe(200);
    await expect(read()).rejects.toThrow('Return a new `RouterContextProvider` for each request');
  });

  it('makes the configuration for each request, if it is a function', async () => {
    const byRequest = ReactRouterAuth(
      ({ request }) => ({ ...bindingConfig(), basePath: request.headers.get('x-base') ?? '/auth' }),
      {},
    );
    const request = (headers = {}) => new Request(`${origin}/members/csrf`, { headers });
    expect((await run(byRequest, request({ 'x-base': '/members' }), byRequest.handler)).status).toBe(200);
    expect((await run(byRequest, request(), byRequest.handler)).status).toBe(404);
  });

  it('has no session while a page is prerendered, and refuses to prerender the actions', async () => {
    vi.stubEnv('IS_RR_BUILD_REQUEST', 'yes');
    const request = new Request(origin, { headers: { 'x-react-router-prerender': 'yes' } });
    const broken = ReactRouterAuth({ ...bindingConfig({ problem: true }) }, {});
    const page = await run(broken, request, ({ context }) => broken.auth(context));
    expect([await page.json(), page.headers.get('cache-control')]).toEqual([null, null]);
    await expect(run(own, request, own.handler)).rejects.toThrow('Remove it from `prerender`');
  });

  it('does not take the header of a visitor for prerendering', async () => {
    const request = new Request(`${origin}/auth/csrf`, { headers: { 'x-react-router-prerender': 'yes' } });
    expect((await run(own, request, own.handler)).status).toBe(200);
  });
});

import { HonoAuth } from '@latchkey/hono';
import {
  BINDING_HEADER,
  type BindingSetup,
  bindingConfig,
  callFailure,
  waitForSuite,
} from '@latchkey/testing/binding-application';
import { type Context, Hono } from 'hono';
import { setCookie } from 'hono/cookie';
import type { HTTPException } from 'hono/http-exception';
import { stream } from 'hono/streaming';

/** The application of the binding suite on Hono. docs/frameworks/contract.md lists its routes. */
export function contractApplication(setup: BindingSetup, clientAddress: (c: Context) => string | undefined): Hono {
  const { base = '', basePath = '/auth', env = {}, secondMount } = setup;
  const at = (path: string) => HonoAuth({ ...bindingConfig(setup), basePath: base + path }, env, { clientAddress });
  const { handler, auth, required, signIn, signOut, update } = at(basePath);
  const app = new Hono();
  app.use(async (c, next) => {
    c.header(BINDING_HEADER, 'contract');
    if (c.req.header('x-visit')) setCookie(c, 'visited', 'yes');
    await next();
  });
  if (setup.parseBodies) {
    app.use(async (c, next) => {
      if (c.req.method === 'POST')
        await (c.req.header('content-type')?.includes('json') ? c.req.json() : c.req.parseBody());
      await next();
    });
  }
  app.use(handler);
  if (secondMount) app.use(at(secondMount).handler);

  const shop = new Hono();
  shop.get('/session', async (c) => {
    const session = await auth(c);
    await waitForSuite(c.req.query('wait'));
    return c.json(session);
  });
  // `/guarded/*` includes `/guarded`. The inner page has a guard of its own.
  shop.use('/guarded/*', required());
  for (const path of ['/guarded', '/guarded/inner'] as const) {
    shop.all(path, required(), (c) => c.html(`<h1>Guarded page of ${c.var.session?.user?.name}</h1>`));
  }
  shop.all('/api/guarded', required(), (c) => c.json({ user: c.var.session?.user?.name }));

  /** A route that calls the binding, and shows the session before and after the call. */
  const call = (
    path: string,
    work: (c: Context, fields: Record<string, string>) => Promise<{ url?: string; updated?: unknown }>,
  ) =>
    shop.post(path, async (c) => {
      const fields = (await c.req.parseBody()) as Record<string, string>;
      try {
        const before = await auth(c);
        const result = await work(c, fields);
        if (result.url && fields['redirect'] !== 'false') return c.redirect(result.url);
        return c.json({ before, ...result, after: await auth(c) });
      } catch (error) {
        return c.json(callFailure(error), 400);
      }
    });
  call('/sign-in', async (c, { provider, ...options }) => ({ url: await signIn(c, provider, options) }));
  call('/sign-out', async (c, options) => ({ url: (await signOut(c, options)).redirect }));
  call('/update', async (c, { name }) => ({ updated: await update(c, { name }) }));

  shop.get('/cached', async (c) => {
    const session = await auth(c);
    for (const [name, value] of Object.entries(c.req.query())) c.header(name, value);
    c.header('etag', '"contract"');
    return c.req.header('if-none-match') === '"contract"' ? c.body(null, 304) : c.json(session);
  });
  shop.get('/streamed', async (c) => {
    const session = await auth(c);
    return stream(c, async (writer) => {
      await writer.write(`start ${session?.user?.name}\n`);
      await waitForSuite(c.req.query('wait'));
      await writer.write('end\n');
    });
  });
  shop.get('/late', (c) =>
    stream(c, async (writer) => {
      await writer.write('start\n');
      await waitForSuite(c.req.query('wait'));
      await writer.write(`${(await auth(c))?.user?.name}\n`);
      if (c.req.query('call') !== 'sign-out') return;
      const outcome = await signOut(c, { redirect: false }).then(
        () => 'done',
        (error) => callFailure(error).error,
      );
      await writer.write(`${outcome}\n`);
    }),
  );
  shop.get('/double', async (c) => {
    const first = await auth(c);
    if (first?.user) first.user.name = 'Changed';
    return c.json([first, await auth(c)]);
  });
  shop.get('/own-cookies', async (c) => {
    setCookie(c, 'theme', 'dark');
    const session = await auth(c);
    setCookie(c, 'lang', 'en');
    const { clear } = c.req.query();
    if (clear) setCookie(c, clear, '', { maxAge: 0 });
    return c.json(session);
  });
  shop.get('/error', async (c) => {
    await auth(c);
    throw new Error('a secret detail of the application');
  });
  app.route(base || '/', shop);
  app.onError((error, c) => {
    // Redirects are exceptions, too.
    const answer = 'getResponse' in error ? (error as HTTPException).getResponse() : undefined;
    if (answer && answer.status < 400) return answer;
    return c.text('failed', (answer?.status ?? 500) as 500, { 'x-error-handler': 'application' });
  });
  return app;
}

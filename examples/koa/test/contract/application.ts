import { once } from 'node:events';
import { createRequire } from 'node:module';
import { PassThrough } from 'node:stream';
import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import {
  BINDING_HEADER,
  type BindingSetup,
  bindingConfig,
  callFailure,
  waitForSuite,
} from '@latchkey/testing/binding-application';
import Koa3, { type Context } from 'koa';
import { KoaAuth } from '../../koa-auth.ts';

const Koa2 = createRequire(import.meta.url)('koa-2') as typeof Koa3;

/** Both major versions. */
export const frameworks: readonly [name: 'Koa 3' | 'Koa 2', Koa: typeof Koa3][] = [
  ['Koa 3', Koa3],
  ['Koa 2', Koa2],
];

/** The application of the binding suite on Koa. docs/frameworks/contract.md lists its routes. */
export function contractApplication(Koa: typeof Koa3, setup: BindingSetup): Koa3 {
  const { env = {}, secondMount, trustProxy = false } = setup;
  const config = bindingConfig(setup);
  const { handler, auth, required, signIn, signOut, update } = KoaAuth(config, env);
  const app = new Koa({ proxy: trustProxy });
  app.silent = true;
  app.use(async (ctx, next) => {
    ctx.set(BINDING_HEADER, 'contract');
    if (ctx.get('x-visit')) ctx.cookies.set('visited', 'yes', { httpOnly: false });
    await next().catch((error: Error & { status?: number }) => {
      ctx.status = error.status ?? 500;
      ctx.set('x-error-handler', 'application');
      ctx.body = 'failed';
    });
  });
  if (setup.parseBodies) app.use(bodyParser());
  app.use(handler);
  if (secondMount) app.use(KoaAuth({ ...config, basePath: secondMount }, env).handler);
  if (!setup.parseBodies) app.use(bodyParser());

  const router = new Router();
  const guardedPage = async (ctx: Context): Promise<void> => {
    ctx.type = 'html';
    ctx.body = `<h1>Guarded page of ${(await auth(ctx))?.user?.name}</h1>`;
  };
  router.all('/guarded', required, guardedPage);
  router.all('/guarded/inner', required, required, guardedPage);
  router.all('/api/guarded', required, async (ctx) => {
    ctx.body = { user: (await auth(ctx))?.user?.name };
  });

  router.get('/session', async (ctx) => {
    const session = await auth(ctx);
    await waitForSuite(ctx.query['wait']);
    json(ctx, session);
  });

  /** A route that calls the binding, and shows the session before and after the call. */
  type Call = (ctx: Context, fields: Record<string, string>) => Promise<{ url?: string; updated?: unknown }>;
  const call = (path: string, work: Call) =>
    router.post(path, async (ctx) => {
      try {
        const fields = (ctx.request.body ?? {}) as Record<string, string>;
        const before = await auth(ctx);
        const result = await work(ctx, fields);
        if (result.url && fields['redirect'] !== 'false') ctx.redirect(result.url);
        else json(ctx, { before, ...result, after: await auth(ctx) });
      } catch (error) {
        ctx.status = 400;
        json(ctx, callFailure(error));
      }
    });
  call('/sign-in', async (ctx, { provider, ...options }) => ({ url: await signIn(ctx, provider, options) }));
  call('/sign-out', async (ctx, options) => ({ url: (await signOut(ctx, options)).redirect }));
  call('/update', async (ctx, { name }) => ({ updated: await update(ctx, { name }) }));

  router.get('/cached', async (ctx) => {
    const session = await auth(ctx);
    ctx.set({ ...(ctx.query as Record<string, string>), etag: '"contract"' });
    if (ctx.get('if-none-match') === '"contract"') ctx.status = 304;
    else json(ctx, session);
  });
  router.get('/streamed', async (ctx) => {
    const session = await auth(ctx);
    const stream = new PassThrough();
    stream.write(`start ${session?.user?.name}\n`);
    void waitForSuite(ctx.query['wait']).then(() => stream.end('end\n'));
    ctx.type = 'text';
    ctx.body = stream;
  });
  router.get('/late', async (ctx) => {
    const stream = new PassThrough();
    const rest = async (): Promise<void> => {
      while (!ctx.headerSent) await once(stream, 'drain');
      await waitForSuite(ctx.query['wait']);
      stream.write(`${(await auth(ctx))?.user?.name}\n`);
      if (ctx.query['call'] === 'sign-out') {
        const outcome = await signOut(ctx, { redirect: false }).then(
          () => 'done',
          (error) => callFailure(error).error,
        );
        stream.write(`${outcome}\n`);
      }
      stream.end();
    };
    stream.write('start\n');
    stream.once('resume', () => setImmediate(() => void rest()));
    ctx.type = 'text';
    ctx.body = stream;
  });
  router.get('/double', async (ctx) => {
    const first = await auth(ctx);
    if (first?.user) first.user.name = 'Changed';
    json(ctx, [first, await auth(ctx)]);
  });
  router.get('/own-cookies', async (ctx) => {
    ctx.cookies.set('theme', 'dark');
    const session = await auth(ctx);
    ctx.cookies.set('lang', 'en');
    if (ctx.query['clear']) ctx.cookies.set(String(ctx.query['clear']));
    json(ctx, session);
  });
  router.get('/error', async (ctx) => {
    await auth(ctx);
    throw new Error('a secret detail of the application');
  });
  app.use(router.routes());
  return app;
}

/** Koa sends `null` without a body. */
function json(ctx: Context, body: unknown): void {
  ctx.type = 'json';
  ctx.body = JSON.stringify(body);
}

import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import Koa from 'koa';
import { examplePages, pageHeaders } from '../shared/example-pages.ts';
import { icon } from '../shared/style.ts';
import { auth, handler, required, signOut, update } from './auth.ts';

const pages = examplePages('Koa');
const router = new Router();

router.get('/', async (ctx) => {
  ctx.set(pageHeaders);
  ctx.body = pages.start(await auth(ctx));
});
router.get('/private', required, async (ctx) => {
  const session = await auth(ctx);
  ctx.set(pageHeaders);
  ctx.body = session && pages.private(session);
});
router.get('/api/me', required, async (ctx) => {
  ctx.body = (await auth(ctx))?.user;
});

router.post('/sign-out', async (ctx) => {
  ctx.redirect((await signOut(ctx, { redirectTo: '/' })).redirect);
});
router.post('/update', async (ctx) => {
  await update(ctx, { name: (ctx.request.body as { name?: string } | undefined)?.name });
  ctx.redirect('/');
});

router.get('/favicon.ico', (ctx) => {
  ctx.type = 'svg';
  ctx.body = icon;
});

export const app: Koa = new Koa();

// Answers below `/auth`, and renews the session on the responses of all routes.
app.use(handler).use(bodyParser()).use(router.routes());

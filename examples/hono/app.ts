import { Hono } from 'hono';
import { examplePages, pageHeaders } from '../shared/example-pages.ts';
import { icon } from '../shared/style.ts';
import { auth, handler, required, signOut, update } from './auth.ts';

const pages = examplePages('Hono');

export const app: Hono = new Hono();

// Answers below `/auth`, and renews the session on the responses of all routes.
app.use(handler);

app.get('/', async (c) => c.html(pages.start(await auth(c)), 200, pageHeaders));
app.get('/private', required(), (c) => {
  const { session } = c.var;
  return session ? c.html(pages.private(session), 200, pageHeaders) : c.notFound();
});

app.post('/sign-out', async (c) => {
  const { redirect } = await signOut(c, { redirectTo: '/' });
  return c.redirect(redirect);
});
app.post('/update', async (c) => {
  const { name } = await c.req.parseBody();
  await update(c, { name });
  return c.redirect('/');
});

app.get('/favicon.ico', (c) => c.body(icon, 200, { 'content-type': 'image/svg+xml' }));

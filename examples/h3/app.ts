import { H3, HTTPResponse, readBody, redirect } from 'h3';
import { examplePages, pageHeaders } from '../shared/example-pages.ts';
import { icon } from '../shared/style.ts';
import { auth, handler, requireSession, signOut, update } from './auth.ts';

const pages = examplePages('h3');
const page = (html: string): HTTPResponse => new HTTPResponse(html, { headers: pageHeaders });

export const app: H3 = new H3();

// Answers below `/auth`, and renews the session on the responses of all routes.
app.use(handler);

app.get('/', async (event) => page(pages.start(await auth(event))));
app.get('/private', async (event) => {
  const session = await requireSession(event);
  return session && page(pages.private(session));
});

app.post('/sign-out', async (event) => {
  const { redirect: url } = await signOut(event, { redirectTo: '/' });
  return redirect(url);
});
app.post('/update', async (event) => {
  const { name } = (await readBody<{ name?: string }>(event)) ?? {};
  await update(event, { name });
  return redirect('/');
});

app.get('/favicon.ico', () => new HTTPResponse(icon, { headers: { 'content-type': 'image/svg+xml' } }));

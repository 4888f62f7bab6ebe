import { H3Auth, type H3AuthOptions } from '@latchkey/h3';
import {
  BINDING_HEADER,
  type BindingSetup,
  bindingConfig,
  callFailure,
  waitForSuite,
} from '@latchkey/testing/binding-application';
import { deleteCookie, getRequestIP, H3, type H3Event, HTTPResponse, readBody, setCookie } from 'h3';
import { textStream } from './text-stream.ts';

/** Returns the application of the binding suite on h3 2. */
export function contractApplication(setup: BindingSetup): H3 {
  const { base = '', basePath = '/auth', env = {}, secondMount, trustProxy = false } = setup;
  const options: H3AuthOptions = { clientAddress: (event) => getRequestIP(event, { xForwardedFor: trustProxy }) };
  const at = (path: string) => H3Auth({ ...bindingConfig(setup), basePath: base + path }, env, options);
  const { handler, auth, requireSession, signIn, signOut, update } = at(basePath);
  const app = new H3({
    silent: true,
    onError: ({ status }) =>
      status < 400 ? undefined : new HTTPResponse('failed', { status, headers: { 'x-error-handler': 'application' } }),
  });
  app.use((event) => {
    event.res.headers.set(BINDING_HEADER, 'contract');
    event.res.errHeaders.set(BINDING_HEADER, 'contract');
    if (event.req.headers.has('x-visit')) setCookie(event, 'visited', 'yes');
  });
  app.use(handler);
  if (secondMount) app.use(at(secondMount).handler);

  const shop = new H3();
  shop.get('/session', async (event) => {
    const session = await auth(event);
    await waitForSuite(event.url.searchParams.get('wait'));
    return Response.json(session);
  });
  // `/guarded/**` includes `/guarded`. The inner page has a guard of its own.
  shop.use('/guarded/**', async (event) => {
    await requireSession(event);
  });
  for (const path of ['/guarded', '/guarded/inner']) {
    shop.all(path, async (event) => {
      event.res.headers.set('content-type', 'text/html');
      return `<h1>Guarded page of ${(await requireSession(event))?.user?.name}</h1>`;
    });
  }
  shop.all('/api/guarded', async (event) => ({ user: (await requireSession(event))?.user?.name }));

  /** A route that calls the binding, and shows the session before and after the call. */
  const call = (
    path: string,
    work: (event: H3Event, fields: Record<string, string>) => Promise<{ url?: string; updated?: unknown }>,
  ) =>
    shop.post(path, async (event) => {
      const fields = { ...(await readBody<Record<string, string>>(event)) };
      try {
        const before = await auth(event);
        const result = await work(event, fields);
        if (result.url && fields['redirect'] !== 'false') return Response.redirect(new URL(result.url, event.url), 302);
        return { before, ...result, after: await auth(event) };
      } catch (error) {
        event.res.status = 400;
        return callFailure(error);
      }
    });
  call('/sign-in', async (event, { provider, ...options }) => ({ url: await signIn(event, provider, options) }));
  call('/sign-out', async (event, options) => ({ url: (await signOut(event, options)).redirect }));
  call('/update', async (event, { name }) => ({ updated: await update(event, { name }) }));

  shop.get('/cached', async (event) => {
    const session = await auth(event);
    for (const [name, value] of event.url.searchParams) event.res.headers.set(name, value);
    event.res.headers.set('etag', '"contract"');
    if (event.req.headers.get('if-none-match') === '"contract"') return new HTTPResponse(null, { status: 304 });
    return Response.json(session);
  });
  shop.get('/streamed', async (event) => {
    const session = await auth(event);
    return textStream(async (write) => {
      write(`start ${session?.user?.name}\n`);
      await waitForSuite(event.url.searchParams.get('wait'));
      write('end\n');
    });
  });
  shop.get('/late', (event) =>
    textStream(async (write) => {
      write('start\n');
      await waitForSuite(event.url.searchParams.get('wait'));
      write(`${(await auth(event))?.user?.name}\n`);
      if (event.url.searchParams.get('call') !== 'sign-out') return;
      const outcome = await signOut(event, { redirect: false }).then(
        () => 'done',
        (error) => callFailure(error).error,
      );
      write(`${outcome}\n`);
    }),
  );
  shop.get('/double', async (event) => {
    const first = await auth(event);
    if (first?.user) first.user.name = 'Changed';
    return [first, await auth(event)];
  });
  shop.get('/own-cookies', async (event) => {
    setCookie(event, 'theme', 'dark');
    const session = await auth(event);
    setCookie(event, 'lang', 'en');
    const clear = event.url.searchParams.get('clear');
    if (clear) deleteCookie(event, clear);
    return Response.json(session);
  });
  shop.get('/error', async (event) => {
    await auth(event);
    throw new Error('a secret detail of the application');
  });
  app.mount(base, shop);
  return app;
}

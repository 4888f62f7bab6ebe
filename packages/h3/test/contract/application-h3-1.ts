import { H3Auth, type H3AuthOptions } from '@latchkey/h3';
import {
  BINDING_HEADER,
  type BindingSetup,
  bindingConfig,
  callFailure,
  waitForSuite,
} from '@latchkey/testing/binding-application';
import type * as h3 from 'h3';
import type { H3Event } from 'h3';
import { loadCompat } from '../../../../test/compat/load.ts';
import { textStream } from './text-stream.ts';

type Handler = (event: H3Event) => unknown;

export interface Layers {
  use(handler: Handler): unknown;
  use(path: string, handler: Handler): unknown;
}

interface Router {
  readonly handler: Handler;
  post(path: string, handler: Handler): unknown;
  use(path: string, handler: Handler): unknown;
}

/** The functions of h3 1. Those that h3 2 still has are typed by it. */
interface H3One
  extends Pick<
    typeof h3,
    'deleteCookie' | 'getQuery' | 'getRequestIP' | 'readBody' | 'sendRedirect' | 'setCookie' | 'setResponseStatus'
  > {
  createApp(options: { onError?: (error: Error, event: H3Event) => unknown }): Layers;
  createRouter(): Router;
  eventHandler(handler: Handler): Handler;
  send(event: H3Event, body: string, type?: string): Promise<void>;
  setResponseHeader(event: H3Event, name: string, value: string): void;
  toNodeListener(app: Layers): (request: unknown, response: unknown) => Promise<void>;
  toWebHandler(app: Layers): (request: Request, context: object) => Promise<Response>;
  useBase(base: string, handler: Handler): Handler;
}

export const one: H3One = await loadCompat<H3One>('h3-1', 'h3');

/** Returns the application of the binding suite on h3 1. */
export function contractApplication(setup: BindingSetup): Layers {
  const { base = '', basePath = '/auth', env = {}, secondMount, trustProxy = false } = setup;
  const { eventHandler, getQuery, setCookie } = one;
  const options: H3AuthOptions = { clientAddress: (event) => one.getRequestIP(event, { xForwardedFor: trustProxy }) };
  const at = (path: string) => H3Auth({ ...bindingConfig(setup), basePath: base + path }, env, options);
  const { handler, auth, requireSession, signIn, signOut, update } = at(basePath);
  const app = one.createApp({
    onError: (_error, event) => {
      one.setResponseHeader(event, 'x-error-handler', 'application');
      return one.send(event, 'failed');
    },
  });
  app.use(
    eventHandler((event) => {
      one.setResponseHeader(event, BINDING_HEADER, 'contract');
      if (event.headers.has('x-visit')) setCookie(event, 'visited', 'yes');
    }),
  );
  if (setup.parseBodies) {
    app.use(
      eventHandler(async (event) => {
        if (event.method === 'POST') await one.readBody(event);
      }),
    );
  }
  app.use(handler);
  if (secondMount) app.use(at(secondMount).handler);

  const shop = one.createRouter();
  // h3 1 does not answer HEAD with a route for GET.
  const get = (path: string, work: Handler) => shop.use(path, eventHandler(work));
  const wait = (event: H3Event) => waitForSuite(getQuery(event)['wait']);
  get('/session', async (event) => {
    const session = await auth(event);
    await wait(event);
    return json(event, session);
  });
  for (const path of ['/guarded', '/guarded/inner']) {
    shop.use(
      path,
      eventHandler(async (event) => {
        if (path === '/guarded/inner') await requireSession(event);
        return `<h1>Guarded page of ${(await requireSession(event))?.user?.name}</h1>`;
      }),
    );
  }
  shop.use(
    '/api/guarded',
    eventHandler(async (event) => ({ user: (await requireSession(event))?.user?.name })),
  );

  /** A route that calls the binding, and shows the session before and after the call. */
  const call = (
    path: string,
    work: (event: H3Event, fields: Record<string, string>) => Promise<{ url?: string; updated?: unknown }>,
  ) =>
    shop.post(
      path,
      eventHandler(async (event) => {
        const fields = { ...(await one.readBody<Record<string, string>>(event)) };
        try {
          const before = await auth(event);
          const result = await work(event, fields);
          if (result.url && fields['redirect'] !== 'false') return one.sendRedirect(event, result.url);
          return { before, ...result, after: await auth(event) };
        } catch (error) {
          one.setResponseStatus(event, 400);
          return callFailure(error);
        }
      }),
    );
  call('/sign-in', async (event, { provider, ...options }) => ({ url: await signIn(event, provider, options) }));
  call('/sign-out', async (event, options) => ({ url: (await signOut(event, options)).redirect }));
  call('/update', async (event, { name }) => ({ updated: await update(event, { name }) }));

  get('/cached', async (event) => {
    const session = await auth(event);
    for (const [name, value] of Object.entries(getQuery(event))) one.setResponseHeader(event, name, String(value));
    one.setResponseHeader(event, 'etag', '"contract"');
    if (event.headers.get('if-none-match') !== '"contract"') return json(event, session);
    one.setResponseStatus(event, 304);
    return null;
  });
  get('/streamed', async (event) => {
    const session = await auth(event);
    return textStream(async (write) => {
      write(`start ${session?.user?.name}\n`);
      await wait(event);
      write('end\n');
    });
  });
  get('/late', (event) =>
    textStream(async (write) => {
      write('start\n');
      await wait(event);
      write(`${(await auth(event))?.user?.name}\n`);
      if (getQuery(event)['call'] !== 'sign-out') return;
      const outcome = await signOut(event, { redirect: false }).then(
        () => 'done',
        (error) => callFailure(error).error,
      );
      write(`${outcome}\n`);
    }),
  );
  get('/double', async (event) => {
    const first = await auth(event);
    if (first?.user) first.user.name = 'Changed';
    return [first, await auth(event)];
  });
  get('/own-cookies', async (event) => {
    setCookie(event, 'theme', 'dark');
    const session = await auth(event);
    setCookie(event, 'lang', 'en');
    const { clear } = getQuery(event);
    if (clear) one.deleteCookie(event, String(clear));
    return json(event, session);
  });
  get('/error', async (event) => {
    await auth(event);
    throw new Error('a secret detail of the application');
  });
  app.use(base || '/', one.useBase(base, shop.handler));
  return app;
}

/** h3 1 answers 204 to `null`. */
function json(event: H3Event, body: unknown): Promise<void> {
  return one.send(event, JSON.stringify(body), 'application/json');
}

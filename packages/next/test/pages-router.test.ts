import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GetServerSidePropsContext, NextApiRequest, NextApiResponse } from 'next';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cookieNames, cookieOf, site } from './site.ts';

/** Asks a Node server that lives as long as the test. */
async function ask(answer: RequestListener, headers: Record<string, string>): Promise<Response> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/x`, { headers });
}

const forms: [title: string, session: (request: NextApiRequest, response: NextApiResponse) => Promise<unknown>][] = [
  ['an API route', (request, response) => site().auth(request, response)],
  [
    'getServerSideProps',
    (request, response) => site().auth({ req: request, res: response } as unknown as GetServerSidePropsContext),
  ],
];

describe.each(forms)('auth in %s', (_title, session) => {
  const answer: RequestListener = async (request, response) => {
    response.appendHeader('set-cookie', 'theme=dark');
    response.end(JSON.stringify(await session(request as NextApiRequest, response as NextApiResponse)));
  };

  it('tells and extends the session', async () => {
    const response = await ask(answer, { cookie: await cookieOf() });
    expect(await response.json()).toMatchObject({ user: { name: 'Ada' } });
    expect(cookieNames(response)).toEqual([
      'theme',
      'authjs.csrf-token',
      'authjs.callback-url',
      'authjs.session-token',
    ]);
  });

  it('lets no cache keep the cookies, and sets none where the application lets one', async () => {
    const headers = { cookie: await cookieOf() };
    expect((await ask(answer, headers)).headers.get('cache-control')).toBe('private, no-store');
    const shared: RequestListener = (request, response) => {
      response.setHeader('Cache-Control', 'public, s-maxage=10, stale-while-revalidate=59');
      return answer(request, response);
    };
    const response = await ask(shared, headers);
    expect([response.status, cookieNames(response)]).toEqual([200, ['theme']]);
    expect(response.headers.get('cache-control')).toContain('public');
  });

  it.each<[string, RequestListener]>([
    ['a header', (_request, response) => void response.setHeader('Cache-Control', 'public, s-maxage=60')],
    [
      'a header of a network',
      (_request, response) => void response.setHeader('Vercel-CDN-Cache-Control', 'max-age=60'),
    ],
    ['the head', (_request, response) => void response.writeHead(200, { 'Cache-Control': 'public' })],
    ['a head with a reason', (_request, response) => void response.writeHead(200, 'OK', { 'Cache-Control': 'public' })],
    ['the head, as a list', (_request, response) => void response.writeHead(200, ['Cache-Control', 'public'])],
  ])('takes the cookies back where the application lets a cache keep them afterwards, by %s', async (_by, opens) => {
    const response = await ask(
      async (request, response) => {
        response.appendHeader('set-cookie', 'theme=dark');
        const told = JSON.stringify(await session(request as NextApiRequest, response as NextApiResponse));
        response.appendHeader('set-cookie', 'later=1');
        await opens(request, response);
        response.end(told);
      },
      { cookie: await cookieOf() },
    );
    expect(await response.json()).toMatchObject({ user: { name: 'Ada' } });
    expect(cookieNames(response)).toEqual(['theme', 'later']);
  });

  it('leaves them where the head says nothing of caches, and where it is asked twice', async () => {
    const response = await ask(
      async (request, response) => {
        await session(request as NextApiRequest, response as NextApiResponse);
        const told = await session(request as NextApiRequest, response as NextApiResponse);
        response.writeHead(201, { 'x-a': 'b' }).end(JSON.stringify(told));
      },
      { cookie: await cookieOf() },
    );
    expect([response.status, response.headers.get('cache-control')]).toEqual([201, 'private, no-store']);
    expect(new Set(cookieNames(response))).toContain('authjs.session-token');
  });

  it('tells strangers that there is none', async () => {
    expect(await (await ask(answer, {})).json()).toBeNull();
  });

  it('knows by the proxy that the visitor came by https', async () => {
    const headers = { 'x-forwarded-proto': 'https', cookie: await cookieOf(undefined, true) };
    expect(await (await ask(answer, headers)).json()).toMatchObject({ user: { name: 'Ada' } });
  });

  it('sets no cookies once the headers are gone', async () => {
    const response = await ask(
      async (request, response) => {
        response.flushHeaders();
        response.end(JSON.stringify(await session(request as NextApiRequest, response as NextApiResponse)));
      },
      { cookie: await cookieOf() },
    );
    expect(await response.json()).toMatchObject({ user: { name: 'Ada' } });
    expect(cookieNames(response)).toEqual([]);
  });
});

describe('auth in getServerSideProps in development', () => {
  /** The response as Next's development server lends it to `getServerSideProps`: by a proxy, which minds when it is read later. */
  function lent(response: ServerResponse, isOver: () => boolean): ServerResponse {
    const get = (target: ServerResponse, name: keyof ServerResponse) => {
      if (isOver()) throw new Error("You should not access 'res' after getServerSideProps resolves.");
      return target[name];
    };
    return new Proxy(response, { get } as ProxyHandler<ServerResponse>);
  }

  it.each([
    ['private', 3],
    ['public', 0],
  ])('leaves the response alone once the props are made, with a head that says %s', async (shared, cookies) => {
    const response = await ask(
      async (req, response) => {
        const at = { isOver: false };
        const res = lent(response, () => at.isOver);
        const session = await site().auth({ req, res } as unknown as GetServerSidePropsContext);
        at.isOver = true;
        response.writeHead(200, { 'cache-control': shared }).end(JSON.stringify(session));
      },
      { cookie: await cookieOf() },
    );
    expect(await response.json()).toMatchObject({ user: { name: 'Ada' } });
    expect(cookieNames(response)).toHaveLength(cookies);
  });
});

describe('auth with a request of HTTP/2', () => {
  it('reads its cookies, which come in pieces', async () => {
    const [name, value] = (await cookieOf()).split('=') as [string, string];
    const headers = { ':path': '/api/x', host: 'localhost:3000', cookie: ['theme=dark', `${name}=${value}`] };
    const { auth } = site() as unknown as { auth(request: object, response: object): Promise<unknown> };
    const response = { appendHeader: () => undefined, getHeader: () => undefined, setHeader: () => undefined };
    expect(await auth({ headers, socket: { encrypted: false } }, response)).toMatchObject({ user: { name: 'Ada' } });
  });
});

describe('auth in an API route on the edge', () => {
  it('appends to the headers of the response', async () => {
    const request = new Request('http://localhost:3000/api/x', {
      headers: { host: 'localhost:3000', 'x-forwarded-proto': 'http', cookie: await cookieOf() },
    });
    const response = new Response();
    const { auth } = site();
    const context = { req: request, res: response } as unknown as GetServerSidePropsContext;
    expect(await auth(context)).toMatchObject({ user: { name: 'Ada' } });
    expect(cookieNames(response)).toContain('authjs.session-token');
  });
});

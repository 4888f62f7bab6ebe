import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import NextAuth, { type NextAuthResult } from '@latchkey/next';
import { MemorySessionRecords, memoryAdapter } from '@latchkey/testing';
import type { GetServerSidePropsContext, NextApiRequest, NextApiResponse } from 'next';
import { NextRequest } from 'next/server.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { configuration, cookieNames, cookieOf, site } from './site.ts';

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

type Read = (request: NextApiRequest, response: NextApiResponse, app?: NextAuthResult) => Promise<unknown>;

/** Each session is due at once. */
const due = { session: { updateAge: 0 } };

const forms: [title: string, session: Read][] = [
  ['an API route', (request, response, app = site(due)) => app.auth(request, response)],
  [
    'getServerSideProps',
    (request, response, app = site(due)) =>
      app.auth({ req: request, res: response } as unknown as GetServerSidePropsContext),
  ],
];

describe.each(forms)('auth in %s', (_title, session) => {
  const answer: RequestListener = async (request, response) => {
    response.appendHeader('set-cookie', 'theme=dark');
    response.end(JSON.stringify(await session(request as NextApiRequest, response as NextApiResponse)));
  };

  it('returns and extends the session', async () => {
    const response = await ask(answer, { cookie: await cookieOf() });
    expect(await response.json()).toMatchObject({ user: { name: 'Ada' } });
    expect(cookieNames(response)).toEqual([
      'theme',
      'authjs.csrf-token',
      'authjs.callback-url',
      'authjs.session-token',
    ]);
  });

  it('sets no session that is not due: a late answer would restore it after a sign-out', async () => {
    const read = async (own: Parameters<typeof site>[0]): Promise<string[]> => {
      const listener: RequestListener = async (request, response) => {
        response.end(JSON.stringify(await session(request as NextApiRequest, response as NextApiResponse, site(own))));
      };
      const response = await ask(listener, { cookie: await cookieOf() });
      expect(await response.json()).toMatchObject({ user: { name: 'Ada' } });
      return cookieNames(response);
    };
    expect(await read({})).not.toContain('authjs.session-token');
    const callbacks = { jwt: ({ token }: { token: object }) => ({ ...token, changed: true }) };
    expect(await read({ callbacks })).toContain('authjs.session-token');
  });

  it('keeps caches from the cookies, and sets none on an answer for caches', async () => {
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

  it('keeps caches from an answer that depends on the session, also if no cookie is due', async () => {
    const listener =
      (cacheControl?: string): RequestListener =>
      async (request, response) => {
        await session(request as NextApiRequest, response as NextApiResponse);
        if (cacheControl) response.setHeader('Cache-Control', cacheControl);
        response.end();
      };
    const host = { 'x-forwarded-host': 'shop.example' };
    const cookies = (await ask(listener(), host)).headers.getSetCookie().map((line) => line.split(';')[0]);
    const again = await ask(listener(), { ...host, cookie: cookies.join('; ') });
    expect([cookieNames(again), again.headers.get('cache-control')]).toEqual([[], 'private, no-store']);
    const decided = await ask(listener('public, s-maxage=10'), { ...host, cookie: cookies.join('; ') });
    expect(decided.headers.get('cache-control')).toBe('public, s-maxage=10');
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
  ])('removes the cookies if the application lets a cache keep the answer later, by %s', async (_by, opens) => {
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

  it('keeps them with a head without cache headers, and with two reads', async () => {
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

  it('returns null without a session', async () => {
    expect(await (await ask(answer, {})).json()).toBeNull();
  });

  it('uses https according to the proxy’s headers', async () => {
    const headers = { 'x-forwarded-proto': 'https', cookie: await cookieOf(undefined, true) };
    expect(await (await ask(answer, headers)).json()).toMatchObject({ user: { name: 'Ada' } });
  });

  it('sets no cookies after the headers were sent', async () => {
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

/** An application that mails codes, and the cookies of a browser that has requested one. */
async function mailSite(email: string): Promise<{ app: NextAuthResult; cookie: string }> {
  const mail = {
    id: 'mail',
    name: 'Mail',
    type: 'email' as const,
    code: true,
    sendVerificationRequest: () => undefined,
  };
  const app = NextAuth(
    configuration({ providers: [mail], adapter: memoryAdapter(), session: { strategy: 'jwt' } }),
    {},
  );
  const headers = { host: 'localhost:3000', 'x-forwarded-proto': 'http' };
  const csrf = await app.handlers.GET(new NextRequest('http://localhost:3000/api/auth/csrf', { headers }));
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const cookiesOf = (response: Response) => response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  const request = new NextRequest('http://localhost:3000/api/auth/signin/mail', {
    method: 'POST',
    headers: { ...headers, cookie: cookiesOf(csrf).join('; ') },
    body: new URLSearchParams({ csrfToken, email }),
  });
  return { app, cookie: cookiesOf(await app.handlers.POST(request)).join('; ') };
}

describe.each<[string, (app: NextAuthResult, req: NextApiRequest, res: NextApiResponse, id?: string) => unknown]>([
  ['an API route', (app, req, res, id) => app.pendingMail(req, res, id)],
  [
    'getServerSideProps',
    (app, req, res, id) => app.pendingMail({ req, res } as unknown as GetServerSidePropsContext, id),
  ],
])('pendingMail in %s', (_title, read) => {
  it('returns the mail that the browser has requested, sets no cookies, and keeps caches from the answer', async () => {
    const { app, cookie } = await mailSite('ada@example.com');
    const listener: RequestListener = async (request, response) => {
      const [req, res] = [request as NextApiRequest, response as NextApiResponse];
      const mails = [await read(app, req, res), await read(app, req, res, 'mail'), await read(app, req, res, 'other')];
      response.end(JSON.stringify(mails));
    };
    const response = await ask(listener, { cookie });
    const mail = expect.objectContaining({ email: 'ada@example.com', code: true });
    expect(await response.json()).toEqual([mail, mail, null]);
    expect([cookieNames(response), response.headers.get('cache-control')]).toEqual([[], 'private, no-store']);
    expect(await (await ask(listener, {})).json()).toEqual([null, null, null]);
  });

  it('needs the response, too', async () => {
    const { pendingMail } = site() as unknown as { pendingMail(request: object, provider: string): Promise<unknown> };
    await expect(pendingMail({ headers: {} }, 'mail')).rejects.toThrow('takes nothing, req and res, or a context');
  });
});

describe('auth in getServerSideProps in development', () => {
  /** Next's development server passes a proxy of the response to `getServerSideProps`. A later access throws. */
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
  ])('does not use the response after the props were returned, with Cache-Control %s', async (shared, cookies) => {
    const response = await ask(
      async (req, response) => {
        const at = { isOver: false };
        const res = lent(response, () => at.isOver);
        const session = await site(due).auth({ req, res } as unknown as GetServerSidePropsContext);
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
  it('reads a split Cookie header', async () => {
    const [name, value] = (await cookieOf()).split('=') as [string, string];
    const headers = { ':path': '/api/x', host: 'localhost:3000', cookie: ['theme=dark', `${name}=${value}`] };
    const { auth } = site() as unknown as { auth(request: object, response: object): Promise<unknown> };
    const response = { getHeader: () => undefined, setHeader: () => undefined };
    expect(await auth({ headers, socket: { encrypted: false } }, response)).toMatchObject({ user: { name: 'Ada' } });
  });
});

describe('auth in an API route on the edge', () => {
  it('appends to the headers of the response', async () => {
    const request = new Request('http://localhost:3000/api/x', {
      headers: { host: 'localhost:3000', 'x-forwarded-proto': 'http', cookie: await cookieOf() },
    });
    const response = new Response();
    const { auth } = site(due);
    const context = { req: request, res: response } as unknown as GetServerSidePropsContext;
    expect(await auth(context)).toMatchObject({ user: { name: 'Ada' } });
    expect(cookieNames(response)).toContain('authjs.session-token');
  });
});

describe('sessions in an API route', () => {
  it('are listed and ended, and the cookies are cleared', async () => {
    const { sessions } = site({ session: { records: { store: MemorySessionRecords() } } });
    const cookie = await cookieOf();
    const list = await ask(
      async (request, response) => response.end(JSON.stringify(await sessions.from(request, response).list())),
      { cookie },
    );
    expect(await list.json()).toMatchObject([{ current: true }]);
    expect([cookieNames(list), list.headers.get('cache-control')]).toEqual([[], 'private, no-store']);
    const end: RequestListener = async (request, response) => {
      response.appendHeader('set-cookie', 'theme=dark');
      const ended = await sessions
        .from(request, response)
        .endAll()
        .catch(({ type }) => type);
      response.end(JSON.stringify(ended));
    };
    expect(await (await ask(end, { cookie, origin: 'https://evil.test' })).json()).toBe('MissingCSRF');
    const ended = await ask(end, { cookie });
    expect(await ended.json()).toEqual({ count: 1, within: 10 });
    expect(cookieNames(ended)).toEqual(expect.arrayContaining(['theme', 'authjs.session-token']));
  });
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { failure, makeScene, tokensFor } from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('fetch', () => {
  const apis = ['https://api.test', 'https://*.apis.test/v1'];

  /** The option `redirect` of the requests so far. */
  const redirects: (string | undefined)[] = [];

  async function makeApi(answer: (request: Request) => Response) {
    const scene = makeScene({ entry: { apis } });
    await scene.app.signIn();
    const seen: { url: string; authorization: string | null; body: string }[] = [];
    vi.stubGlobal('fetch', async (input: URL, init: RequestInit) => {
      const request = new Request(input, init);
      redirects.push(init.redirect);
      seen.push({
        url: request.url,
        authorization: request.headers.get('authorization'),
        body: await request.clone().text(),
      });
      return answer(request);
    });
    return { scene, seen, tokens: tokensFor(scene, 'read-only') };
  }

  it('adds the access token', async () => {
    const { seen, tokens } = await makeApi(() => new Response('hello'));
    const { accessToken } = await tokens.get('fake');
    expect(await (await tokens.fetch('fake', 'https://api.test/x')).text()).toBe('hello');
    expect(await (await tokens.fetch('fake', new URL('https://a.b.apis.test/v1/y'))).text()).toBe('hello');
    expect(seen.map(({ authorization }) => authorization)).toEqual([`Bearer ${accessToken}`, `Bearer ${accessToken}`]);
  });

  it.each([
    'https://evil.test/',
    'http://api.test/',
    'https://api.test:8443/',
    'https://api.test.evil.test/',
    'https://apis.test/v1',
    'https://a.apis.test/v2',
    'https://a.apis.test/v10',
    'https://evilapis.test/v1',
    'https://user:password@api.test/',
    'https://evil.test/https://api.test/',
  ])('refuses %s', async (url) => {
    const { seen, tokens } = await makeApi(() => new Response());
    expect(await failure(tokens.fetch('fake', url))).toBeInstanceOf(TypeError);
    expect(seen).toEqual([]);
  });

  it('follows redirects within the list only', async () => {
    const { seen, tokens } = await makeApi((request) =>
      Response.redirect(request.url.endsWith('/1') ? 'https://api.test/2' : 'https://evil.test/', 302),
    );
    expect(await failure(tokens.fetch('fake', 'https://api.test/1'))).toBeInstanceOf(TypeError);
    expect(seen.map(({ url }) => url)).toEqual(['https://api.test/1', 'https://api.test/2']);
  });

  it('follows at most five redirects, and none of a form', async () => {
    const { seen, tokens } = await makeApi(() => Response.redirect('https://api.test/', 302));
    expect(await failure(tokens.fetch('fake', 'https://api.test/'))).toBeInstanceOf(TypeError);
    expect(seen).toHaveLength(6);
    for (const redirect of [undefined, 'follow'] as const) {
      const posted = await tokens.fetch('fake', 'https://api.test/', {
        method: 'POST',
        body: 'x',
        ...(redirect && { redirect }),
      });
      expect([posted.status, redirects.at(-1)]).toEqual([302, 'manual']);
    }
  });

  it.each(['POST', 'PUT', 'DELETE'])(
    'leaves the redirect of %s to the application, also if it asks to follow',
    async (method) => {
      const { scene } = await makeApi(() => new Response());
      vi.unstubAllGlobals();
      const seen: (string | undefined)[] = [];
      const server = createServer((request, response) => {
        seen.push(request.url);
        response.writeHead(307, { location: '/other' }).end();
      }).listen(0, '127.0.0.1');
      onTestFinished(() => void server.close());
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      Object.assign(scene.app.config.providers[0] as object, { apis: [`http://127.0.0.1:${port}/v1`] });
      const init = { method, redirect: 'follow' } as const;
      const answer = await tokensFor(scene, 'read-only').fetch('fake', `http://127.0.0.1:${port}/v1/x`, init);
      expect([answer.status, seen]).toEqual([307, ['/v1/x']]);
    },
  );

  it('takes no token from a row that a header cannot have, because errors would show it', async () => {
    const scene = makeScene({ entry: { apis } });
    await scene.app.signIn();
    const { userId } = scene;
    await scene.jobs().revoke('fake', { userId });
    const row = { provider: 'fake', providerAccountId: 'ada-1815', access_token: 'first part\nsecond part' };
    expect(await scene.jobs().import({ ...row, userId })).toBe(false);
    const error = await failure(tokensFor(scene, 'read-only').fetch('fake', 'https://api.test/'));
    expect(error).toMatchObject({ code: 'no-account' });
    expect(inspect(error)).not.toContain('second part');
  });

  it('refreshes after a 401, and repeats the request once', async () => {
    let refused = '';
    const { scene, seen, tokens } = await makeApi((request) =>
      request.headers.get('authorization') === refused ? new Response(null, { status: 401 }) : new Response('hello'),
    );
    refused = `Bearer ${(await tokens.get('fake')).accessToken}`;
    const send = () => tokens.fetch('fake', 'https://api.test/', { method: 'POST', body: 'form' });
    expect((await send()).status).toBe(401);
    scene.later(31);
    expect((await send()).status).toBe(200);
    expect(seen.map(({ body }) => body)).toEqual(['form', 'form', 'form']);
    expect(scene.refreshes()).toHaveLength(1);
  });

  it('does not repeat a stream', async () => {
    const { scene, seen, tokens } = await makeApi(() => new Response(null, { status: 401 }));
    scene.later(31);
    const body = new ReadableStream({ start: (stream) => stream.close() });
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    expect((await tokens.fetch('fake', 'https://api.test/', init)).status).toBe(401);
    expect(seen).toHaveLength(1);
  });
});

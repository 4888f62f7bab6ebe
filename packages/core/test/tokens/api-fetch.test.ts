import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeScene, type Scene } from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

interface Api {
  readonly scene: Scene;
  /** The requests so far. */
  readonly seen: { url: string; init: RequestInit; headers: Headers }[];
  send(url: string | URL, init?: RequestInit): Promise<Response>;
}

/** An API, to which the access tokens of the provider may be sent. */
async function makeApi(apis: string[] | undefined, answer: (url: string) => Response): Promise<Api> {
  const scene = makeScene();
  await scene.app.signIn();
  // A request would report a list that is not valid. A job has only this check.
  Object.assign(scene.app.config.providers[0] as object, { apis });
  const seen: Api['seen'] = [];
  vi.stubGlobal('fetch', async (url: URL, init: RequestInit) => {
    seen.push({ url: url.href, init, headers: new Headers(init.headers) });
    return answer(url.href);
  });
  const send: Api['send'] = (url, init) => scene.jobs().fetch('fake', url, init, { userId: scene.userId });
  return { scene, seen, send };
}

const redirectTo = (location: string, status = 302): Response =>
  new Response('moved', { status, headers: { location } });

describe('the list `apis`', () => {
  it.each<[string[] | undefined, string]>([
    [['https://api.test/v1/'], 'https://api.test/v1'],
    [['https://api.test/v1/'], 'https://api.test/v1/x'],
    [['https://api.test/v1'], 'https://api.test/v1?x'],
    [['https://api.test:8443'], 'https://api.test:8443/x'],
    [['https://other.test', 'https://*.api.test'], 'https://a.b.api.test/'],
    [['http://127.0.0.1:3000'], 'http://127.0.0.1:3000/x'],
    [['http://localhost:3000'], 'http://localhost:3000/x'],
  ])('%j has %s', async (apis, url) => {
    const { seen, send } = await makeApi(apis, () => new Response('hello'));
    expect((await send(url)).status).toBe(200);
    expect(seen.map((request) => request.url)).toEqual([new URL(url).href]);
  });

  it.each<[string[] | undefined, string]>([
    [undefined, 'https://api.test/'],
    [[], 'https://api.test/'],
    [['https://api.test/v1'], 'https://api.test/'],
    [['https://api.test/v1'], 'https://api.test/v1x'],
    [['https://api.test'], 'https://a.api.test/'],
    [['https://*.api.test'], 'https://api.test/'],
    [['https://*.api.test'], 'https://xapi.test/'],
    [['https://api.test'], 'https://name@api.test/'],
    [['https://api.test'], 'https://:password@api.test/'],
  ])('%j does not have %s', async (apis, url) => {
    const { scene, seen, send } = await makeApi(apis, () => new Response());
    const calls = scene.vault.calls.length;
    const { origin } = new URL(url);
    await expect(send(url)).rejects.toThrow(
      new TypeError(
        `access tokens of this provider must not be sent to ${origin}. Add it to the provider's option \`apis\``,
      ),
    );
    expect(seen).toEqual([]);
    expect(scene.vault.calls).toHaveLength(calls);
  });

  it.each(['not a URL', 'http://api.test', 'ftp://api.test', 'ftp://localhost'])(
    'with %s refuses the provider',
    async (api) => {
      const { seen, send } = await makeApi([api], () => new Response('hello'));
      await expect(send(api)).rejects.toThrow('`apis` must be a list of https URLs');
      expect(seen).toEqual([]);
    },
  );
});

describe('a request with an access token', () => {
  it('keeps the other headers, and replaces `Authorization`', async () => {
    const { scene, seen, send } = await makeApi(['https://api.test'], () => new Response());
    const { accessToken } = await scene.jobs().get('fake', { userId: scene.userId });
    await send('https://api.test/', { headers: { 'x-version': '2', authorization: 'Basic x' }, cache: 'no-store' });
    expect(Object.fromEntries(seen[0]?.headers ?? [])).toEqual({
      'x-version': '2',
      authorization: `Bearer ${accessToken}`,
    });
    expect(seen[0]?.init).toMatchObject({ cache: 'no-store', redirect: 'manual' });
  });

  it.each([301, 302, 303, 307, 308])(
    'follows a redirect with status %i, also to a relative address',
    async (status) => {
      const { seen, send } = await makeApi(['https://api.test'], (url) =>
        url.endsWith('/1') ? redirectTo('2', status) : new Response('hello'),
      );
      expect(await (await send('https://api.test/v1/1')).text()).toBe('hello');
      expect(seen.map(({ url }) => url)).toEqual(['https://api.test/v1/1', 'https://api.test/v1/2']);
      expect(seen[1]?.headers.get('authorization')).toBe(seen[0]?.headers.get('authorization'));
    },
  );

  it.each(['get', 'HEAD', 'head'])('follows redirects of %s', async (method) => {
    const { seen, send } = await makeApi(['https://api.test'], (url) =>
      url.endsWith('/1') ? redirectTo('/2') : new Response(),
    );
    expect((await send('https://api.test/1', { method })).status).toBe(200);
    expect(seen).toHaveLength(2);
  });

  it('follows exactly five redirects', async () => {
    const chain = (url: string): Response => {
      const count = Number(url.split('/').at(-1));
      return count > 0 ? redirectTo(String(count - 1)) : new Response('hello');
    };
    const { send } = await makeApi(['https://api.test'], chain);
    expect((await send('https://api.test/5')).status).toBe(200);
    await expect(send('https://api.test/6')).rejects.toThrow(new TypeError('the API redirected more than 5 times'));
  });

  it.each([
    ['an answer that has no address', {}, () => new Response(null, { status: 302 })],
    ['an answer that is no redirect', {}, () => redirectTo('/2', 201)],
    ['a request that wants to see redirects', { redirect: 'manual' }, () => redirectTo('/2')],
  ] as const)('follows nothing of %s', async (_, init, answer) => {
    const { seen, send } = await makeApi(['https://api.test'], answer);
    expect((await send('https://api.test/1', init)).status).not.toBe(200);
    expect(seen.map(({ init }) => init.redirect)).toEqual(['manual']);
  });

  it('fails at a redirect if it asks for that', async () => {
    const { seen, send } = await makeApi(['https://api.test'], () => redirectTo('/2'));
    await send('https://api.test/1', { redirect: 'error' });
    expect(seen.map(({ init }) => init.redirect)).toEqual(['error']);
  });

  it.each([200, 403, 500])('is not repeated after a %i', async (status) => {
    const { scene, seen, send } = await makeApi(['https://api.test'], () => new Response(null, { status }));
    scene.later(31);
    expect((await send('https://api.test/')).status).toBe(status);
    expect([seen.length, scene.refreshes()]).toEqual([1, []]);
  });

  it('is repeated after a 401 only with another token', async () => {
    const { scene, seen, send } = await makeApi(['https://api.test'], () => new Response(null, { status: 401 }));
    expect((await send('https://api.test/')).status).toBe(401);
    expect(seen).toHaveLength(1);
    scene.later(31);
    expect((await send('https://api.test/')).status).toBe(401);
    expect(seen).toHaveLength(3);
    expect(seen[2]?.headers.get('authorization')).not.toBe(seen[1]?.headers.get('authorization'));
    expect(scene.refreshes()).toHaveLength(1);
  });

  it.each<[string, () => BodyInit | null, number]>([
    ['a text', () => 'text', 2],
    ['bytes', () => new Uint8Array(3), 2],
    ['a form', () => new URLSearchParams('a=1'), 2],
    ['nothing', () => null, 2],
    ['a stream', () => new ReadableStream(), 1],
    ['an iterable', () => (async function* () {})() as never, 1],
  ])('with %s as its body, after a 401', async (_, body, times) => {
    const { scene, seen, send } = await makeApi(['https://api.test'], () => new Response(null, { status: 401 }));
    scene.later(31);
    await send('https://api.test/', { method: 'POST', body: body() });
    expect(seen).toHaveLength(times);
    expect(scene.refreshes()).toHaveLength(times - 1);
  });
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { applyBeforeHead, applyToHeaders, decideRenewal, headChanges, type NodeHead } from '@latchkey/core/binding';
import { describe, expect, it } from 'vitest';

const session = 'authjs.session-token=new; Path=/; HttpOnly';
const parts = ['authjs.session-token.0=new; Path=/', 'authjs.session-token.1=new; Path=/'];
const theme = 'theme=dark; Path=/';
const none = { add: [], drop: [], cacheControl: undefined, remove: [] };

function decide(headers: Iterable<readonly [string, unknown]>, cookies: readonly string[] = [session]) {
  return headChanges(headers, { renewed: cookies });
}

describe('the cookies of a renewed session', () => {
  it.each<[headers: Record<string, string>, isShared: boolean]>([
    [{}, false],
    [{ 'content-type': 'text/html', 'access-control-allow-origin': '*' }, false],
    [{ expires: 'Thu, 01 Jan 2099 00:00:00 GMT', vary: '*', 'cache-control-x': 'public' }, false],
    [{ 'cache-control': 'private' }, false],
    [{ 'Cache-Control': 'max-age=0, No-Store' }, false],
    [{ 'cache-control': 'max-age=0,PRIVATE' }, false],
    [{ 'cache-control': '' }, true],
    [{ 'cache-control': 'no-cache' }, true],
    [{ 'cache-control': 'public, max-age=60' }, true],
    [{ 'cache-control': 'max-age=60' }, true],
    [{ 'cache-control': 'private="x-a", max-age=60' }, true],
    [{ 'cache-control': 'no-cache="private"' }, true],
    [{ 'cache-control': 'x-private' }, true],
    [{ 'cache-control': 'private', 'CDN-Cache-Control': 'max-age=60' }, true],
    [{ 'cache-control': 'private', 'cdn-cache-control': 'no-store' }, false],
    [{ 'cache-control': 'public', 'cdn-cache-control': 'no-store' }, true],
    [{ 'vercel-cdn-cache-control': 'max-age=60' }, true],
    [{ 'cloudflare-cdn-cache-control': 'max-age=60' }, true],
    [{ 'netlify-cdn-cache-control': 'public, s-maxage=60' }, true],
    [{ 'x-litespeed-cache-control': 'public' }, true],
    [{ 'surrogate-control': 'max-age=60' }, true],
    [{ 'edge-control': '!no-store, max-age=60' }, true],
    [{ 'edge-control': 'no-store' }, false],
    [{ 'x-accel-expires': '60' }, true],
    [{ 'x-accel-expires': '@1900000000' }, true],
    [{ 'x-accel-expires': '0' }, false],
  ])('with %j are kept off an answer that a shared cache may keep: %s', (headers, isShared) => {
    for (const each of [new Headers(headers), Object.entries(headers)]) {
      expect(decide(each).add).toEqual(isShared ? [] : [session]);
      expect(decide([...each, ['set-cookie', [theme, session]]]).drop).toEqual(isShared ? [session] : []);
    }
  });

  it('come with a Cache-Control header, unless the application has set one', () => {
    expect(decide([])).toEqual({ ...none, add: [session], cacheControl: 'private, no-store' });
    expect(decide([['Cache-Control', 'private, max-age=60']])).toEqual({ ...none, add: [session] });
    expect(decide([['cdn-cache-control', 'no-store']]).cacheControl).toBe('private, no-store');
    expect(decide([['cache-control', 'public']])).toEqual(none);
  });

  it('stay on an answer that has them already', () => {
    expect(decide([['set-cookie', [theme, session]]])).toEqual({ ...none, cacheControl: 'private, no-store' });
    expect(decide([], [])).toEqual({ ...none, cacheControl: 'private, no-store' });
  });

  it.each([
    ['the same cookie', 'authjs.session-token=; Max-Age=0', true],
    ['a part of it', 'authjs.session-token.0=own', true],
    ['a cookie of a similar name', 'x-authjs.session-token=own', false],
    ['a cookie of a longer name', 'authjs.session-token.x=own', false],
    ['another cookie', theme, false],
  ])('stay away if the application has set %s: %s', (_which, line, isSet) => {
    for (const value of [line, [line], [theme, line]]) {
      expect(decide([['Set-Cookie', value]]).add).toEqual(isSet ? [] : [session]);
      expect(decide([['Set-Cookie', value]], parts).add).toEqual(isSet ? [] : parts);
    }
    expect(decide([['set-cookie', [session, line]]]).drop).toEqual(isSet ? [session] : []);
  });
});

describe('the rules of a renewal', () => {
  it.each([
    ['the head has been sent', { isSent: true }, 'drop'],
    ['a call has changed the session', { hasChanged: true }, 'drop'],
    ['the application has set the cookie', { headers: [['set-cookie', 'authjs.session-token=']] }, 'drop'],
    ['a shared cache may store the response', { headers: [['cache-control', 'public']] }, 'drop'],
    ['there is no Cache-Control header', {}, 'append-private'],
    ['the response is private', { headers: [['cache-control', 'private, max-age=9']] }, 'append'],
  ] as const)('if %s', (_which, head, result) => {
    expect(decideRenewal({ headers: [], ...head }, [session])).toBe(result);
  });
});

describe('the head of a response', () => {
  const out = 'authjs.session-token=; Max-Age=0';
  /** Applies the changes in both ways, and returns the headers. */
  function apply(headers: Record<string, string>, visit: Parameters<typeof applyToHeaders>[1]): Headers[] {
    const web = new Headers(headers);
    applyToHeaders(web, visit);
    const lines = new Map<string, string | string[]>(Object.entries(headers));
    const node: NodeHead = {
      getHeader: (name) => lines.get(name),
      getHeaderNames: () => [...lines.keys()],
      setHeader: (name, value) => lines.set(name, value),
      removeHeader: (name) => lines.delete(name),
      writeHead: () => undefined,
    };
    applyBeforeHead(node, visit);
    node.writeHead?.(200);
    const pairs = [...lines].flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one]));
    return [web, new Headers(pairs)];
  }

  it('has the cookies of calls and is kept out of all caches', () => {
    for (const headers of apply(
      { 'cache-control': 'public', 'cdn-cache-control': 'max-age=9' },
      { callCookies: [out] },
    )) {
      expect(headers.getSetCookie()).toEqual([out]);
      expect(headers.get('cache-control')).toBe('private, no-store');
      expect(headers.has('cdn-cache-control')).toBe(false);
    }
  });

  it('has the cookies of a call, but not those of the session that was read before', () => {
    for (const headers of apply({}, { callCookies: [out], renewed: [session], hasChanged: true })) {
      expect(headers.getSetCookie()).toEqual([out]);
    }
  });

  it('keeps the cookies of the application', () => {
    for (const headers of apply({ 'set-cookie': theme }, { renewed: [session] })) {
      expect(headers.getSetCookie()).toEqual([theme, session]);
    }
  });

  it('is private if the session was read, and stays as it is otherwise', () => {
    for (const headers of apply({}, {})) expect(headers.get('cache-control')).toBe('private, no-store');
    for (const headers of apply({ 'cache-control': 'public' }, {})) expect(headers.get('cache-control')).toBe('public');
    for (const headers of apply({}, { isPersonal: false })) expect([...headers]).toEqual([]);
  });

  it.each([
    [{ 'Cache-Control': 'public, max-age=60', 'Set-Cookie': [theme], etag: '"1"' }],
    [['Cache-Control', 'public, max-age=60', 'Set-Cookie', theme, 'ETag', '"1"']],
    [
      [
        ['Cache-Control', 'public, max-age=60'],
        ['Set-Cookie', [theme]],
        ['ETag', '"1"'],
      ],
    ],
  ])('is the same if the application gives headers to `writeHead` of a real server: %j', async (given) => {
    const server = createServer((_, response) => {
      applyBeforeHead(response as NodeHead, { callCookies: [out] });
      response.writeHead(203, 'Fine', given as never).end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { status, statusText, headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.close();
    expect([status, statusText, headers.get('etag')]).toEqual([203, 'Fine', '"1"']);
    expect(headers.getSetCookie()).toEqual([theme, out]);
    expect(headers.get('cache-control')).toBe('private, no-store');
  });
});

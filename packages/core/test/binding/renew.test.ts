import { decideCookies } from '@latchkey/core/binding';
import { describe, expect, it } from 'vitest';

const session = 'authjs.session-token=new; Path=/; HttpOnly';
const parts = ['authjs.session-token.0=new; Path=/', 'authjs.session-token.1=new; Path=/'];
const theme = 'theme=dark; Path=/';
const none = { add: [], drop: [], cacheControl: undefined };

function decide(headers: Iterable<readonly [string, unknown]>, cookies: readonly string[] = [session]) {
  return decideCookies(headers, cookies);
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
    expect(decide([])).toEqual({ add: [session], drop: [], cacheControl: 'private, no-store' });
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

import { isForCaches, mayBeShared } from '@latchkey/core/binding';
import { describe, expect, it } from 'vitest';

describe('an answer', () => {
  it.each<[headers: Record<string, string>, shared: boolean]>([
    [{}, false],
    [{ 'content-type': 'text/html', 'access-control-allow-origin': '*' }, false],
    [{ 'cache-control': 'private' }, false],
    [{ 'Cache-Control': 'max-age=0, No-Store' }, false],
    [{ 'cache-control': '' }, true],
    [{ 'cache-control': 'no-cache' }, true],
    [{ 'cache-control': 'public, max-age=60' }, true],
    [{ 'cache-control': 'private="x-a", max-age=60' }, true],
    [{ 'cache-control': 'x-private' }, true],
    [{ 'cache-control': 'private', 'CDN-Cache-Control': 'max-age=60' }, true],
    [{ 'cache-control': 'private', 'cdn-cache-control': 'no-store' }, false],
    [{ 'cache-control': 'public', 'cdn-cache-control': 'no-store' }, true],
    [{ 'vercel-cdn-cache-control': 'max-age=60' }, true],
    [{ 'cloudflare-cdn-cache-control': 'max-age=60' }, true],
    [{ 'netlify-cdn-cache-control': 'max-age=60' }, true],
    [{ 'x-litespeed-cache-control': 'public' }, true],
    [{ 'surrogate-control': 'max-age=60' }, true],
    [{ 'edge-control': '!no-store, max-age=60' }, true],
    [{ 'edge-control': 'no-store' }, false],
    [{ 'x-accel-expires': '60' }, true],
    [{ 'x-accel-expires': '@1900000000' }, true],
    [{ 'x-accel-expires': '0' }, false],
  ])('with %j may be kept by a cache that visitors share: %s', (headers, shared) => {
    expect(mayBeShared(new Headers(headers))).toBe(shared);
    expect(mayBeShared(Object.entries(headers))).toBe(shared);
  });

  it('that sets cookies is not told to caches by them', () => {
    expect(['set-cookie', 'cookie', 'expires', 'vary', 'cache-control-x'].filter(isForCaches)).toEqual([]);
  });
});

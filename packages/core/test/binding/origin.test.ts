import { basePathFor, originFrom, ownPagePath } from '@latchkey/core/binding';
import { describe, expect, it } from 'vitest';
import { forgedHosts } from '../attacks/forged-hosts.ts';

describe('originFrom', () => {
  it.each([
    ['http', 'localhost:3000', 'http://localhost:3000'],
    ['https', 'Example.COM', 'https://example.com'],
    ['https', 'example.com:443', 'https://example.com'],
    ['http', '[::1]:8080', 'http://[::1]:8080'],
    ['http', 'web_1:3000', 'http://web_1:3000'],
    ['http', '127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['https', 'xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
    ['https', `${'a'.repeat(60)}.${'b'.repeat(60)}.example`, `https://${'a'.repeat(60)}.${'b'.repeat(60)}.example`],
  ])('%s and %j: %s', (protocol, host, origin) => expect(originFrom(protocol, host)).toBe(origin));

  it.each([
    ['http', undefined],
    ['http', ''],
    ['http', 'a b'],
    ['http', 'example.com/path'],
    ['http', 'user@example.com'],
    ['http', 'example.com?x'],
    ['http', 'example.com#x'],
    ['http', '\\example.com'],
    ['http', 'example.com:port'],
    ['http', 'example.com:99999'],
    ['http', '[::1'],
    ['javascript', 'example.com'],
    ['wss', 'example.com'],
    ['', 'example.com'],
    ['http://evil.test/http', 'example.com'],
    ...forgedHosts.map((host): [string, string] => ['https', host]),
  ])('%j and %j name no origin', (protocol, host) => expect(originFrom(protocol, host)).toBe(''));
});

describe('ownPagePath', () => {
  const site = 'https://app.example';

  it.each([
    ['/login', undefined, '/login'],
    ['/login?lang=de#form', undefined, '/login'],
    ['/a/../login', undefined, '/login'],
    ['/login', site, '/login'],
    ['https://app.example/login', site, '/login'],
    ['https://APP.example:443', site, '/'],
    ['//app.example/login', site, '/login'],
  ])('%s is on this site if the environment names %s: %s', (page, origin, path) =>
    expect(ownPagePath(page, origin)).toBe(path),
  );

  it.each([
    ['https://app.example/login', undefined],
    ['//app.example/login', undefined],
    ['/\\app.example/login', undefined],
    ['/\t/app.example/login', undefined],
    ['http://nowhere.invalid/login', undefined],
    ['//nowhere.invalid:81/login', undefined],
    ['login', undefined],
    ['http://app.example/login', site],
    ['https://app.example:8443/login', site],
    ['https://app.example.evil.example/login', site],
    ['https://evil.example/login', site],
    ['/\\evil.example/login', site],
    ['https://', site],
    ['', undefined],
  ])('%j is not if it names %s', (page, origin) => expect(ownPagePath(page, origin)).toBeUndefined());
});

describe('basePathFor', () => {
  it.each([
    ['/auth/session', ['/auth'], '/auth'],
    ['/auth/session/', ['/auth/'], '/auth'],
    ['/session', ['', '/auth'], ''],
    ['/a/callback/github', ['/b', '/a'], '/a'],
    ['/auth/callback/session', ['/auth', '/auth/callback'], '/auth'],
    ['/authsession', ['/auth'], undefined],
    ['/auth/unknown', ['/auth'], undefined],
    ['/auth/session/github', ['/auth'], undefined],
    ['/auth/session', [], undefined],
  ])('%s below %j: %j', (path, basePaths, found) => expect(basePathFor(path, basePaths)).toBe(found));
});

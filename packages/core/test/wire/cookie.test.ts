import { describe, expect, it } from 'vitest';
import { LONGEST_COOKIE_HEADER, parseCookies, serializeCookie } from '../../src/wire/cookie.ts';

const plain = (header: string | undefined): Record<string, string> => ({ ...parseCookies(header) });

describe('parseCookies', () => {
  it.each<[string | undefined, Record<string, string>]>([
    [undefined, {}],
    ['', {}],
    [';;; ;', {}],
    ['a', {}],
    ['a=1', { a: '1' }],
    ['a=1;b=2', { a: '1', b: '2' }],
    ['  a = 1 ;\tb=2 ', { a: '1', b: '2' }],
    ['a=1; a=2', { a: '1' }],
    ['a=; a=2', { a: '' }],
    ['=x; a=1', { '': 'x', a: '1' }],
    ['junk; a=1', { a: '1' }],
    ['a="q"', { a: '"q"' }],
    ['a=x=y==', { a: 'x=y==' }],
    ['a=%7C%20%C3%A4', { a: '| ä' }],
    ['a=100%; b=%E0%A4', { a: '100%', b: '%E0%A4' }],
    ['a=1, b=2', { a: '1, b=2' }],
  ])('reads %j', (header, cookies) => {
    expect(plain(header)).toEqual(cookies);
  });

  it('returns an object without inherited members', () => {
    for (const cookies of [parseCookies(undefined), parseCookies('__proto__=x; constructor=y; a=1')]) {
      expect('toString' in cookies).toBe(false);
      expect('hasOwnProperty' in cookies).toBe(false);
    }
    expect(Object.entries(parseCookies('__proto__=x; constructor=y'))).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
  });

  it('reads up to its limit and nothing of a longer header', () => {
    const longest = `a=1; b=${'x'.repeat(LONGEST_COOKIE_HEADER - 7)}`;
    expect(longest).toHaveLength(LONGEST_COOKIE_HEADER);
    expect(parseCookies(longest).a).toBe('1');
    expect(plain(`${longest}x`)).toEqual({});
  });

  it('is quick with a great many cookies', () => {
    const many = Array.from({ length: 10_000 }, (_, n) => `c${n}=`)
      .join(';')
      .slice(0, LONGEST_COOKIE_HEADER);
    const headers = [many, 'a;'.repeat(32_000), ';'.repeat(60_000), '='.repeat(60_000), '%'.repeat(60_000)];
    // An algorithm with quadratic time would exceed the time limit of a test.
    expect(headers.map((header) => Object.keys(parseCookies(header)).length)).toEqual([9_521, 0, 0, 1, 0]);
  });
});

describe('serializeCookie', () => {
  it('writes the CSRF cookie of Auth.js v5', () => {
    const value = `${'a'.repeat(64)}|${'b'.repeat(64)}`;
    const options = { httpOnly: true, sameSite: 'lax', path: '/', secure: false } as const;
    expect(serializeCookie({ name: 'authjs.csrf-token', value, options })).toBe(
      `authjs.csrf-token=${'a'.repeat(64)}%7C${'b'.repeat(64)}; Path=/; HttpOnly; SameSite=Lax`,
    );
  });

  it('writes all attributes in the order of Auth.js v5', () => {
    const options = {
      sameSite: 'none',
      priority: 'high',
      partitioned: true,
      secure: true,
      httpOnly: true,
      expires: new Date('2026-11-21T12:00:00.900Z'),
      path: '/',
      domain: 'example.com',
      maxAge: 900,
    } as const;
    expect(serializeCookie({ name: 'n', value: 'v', options })).toBe(
      'n=v; Max-Age=900; Domain=example.com; Path=/; Expires=Sat, 21 Nov 2026 12:00:00 GMT; HttpOnly; Secure; Partitioned; Priority=High; SameSite=None',
    );
  });

  it('omits undefined attributes', () => {
    const options = { domain: undefined, maxAge: undefined, expires: undefined, encode: undefined, secure: false };
    expect(serializeCookie({ name: 'n', value: '', options })).toBe('n=');
  });

  it('encodes a value as Auth.js v5 does, or with `encode`', () => {
    expect(serializeCookie({ name: 'n', value: 'https://a.example/?b=c&d', options: {} })).toBe(
      'n=https%3A%2F%2Fa.example%2F%3Fb%3Dc%26d',
    );
    expect(serializeCookie({ name: 'n', value: 'a/b', options: { encode: (value) => value } })).toBe('n=a/b');
  });

  it('writes values that parseCookies reads', () => {
    for (const value of ['a|b', 'ä; b=c', '100%', '"q"', ' x ', '😀', '%7C']) {
      expect(parseCookies(serializeCookie({ name: 'n', value, options: {} })).n).toBe(value);
    }
  });

  it.each([
    [{ name: 'a b' }],
    [{ name: 'a;b' }],
    [{ name: '' }],
    [{ value: 'a;b', options: { encode: (value: string) => value } }],
    [{ value: 'a\r\nb', options: { encode: (value: string) => value } }],
    [{ options: { domain: 'a b' } }],
    [{ options: { path: '/;x' } }],
    [{ options: { maxAge: 1.5 } }],
    [{ options: { expires: new Date(Number.NaN) } }],
  ])('throws for invalid input: %j', (wrong) => {
    expect(() => serializeCookie({ name: 'n', value: 'v', options: {}, ...wrong })).toThrow(TypeError);
  });
});

import { describe, expect, it } from 'vitest';
import { parseCookies } from '../../src/wire/cookie.ts';
import { CHUNK_SIZE, CHUNKS_READ, clearChunked, readChunked, writeChunked } from '../../src/wire/cookie-chunks.ts';

const name = 'authjs.session-token';
const expires = new Date('2026-12-21T12:00:00Z');
const option = { name, options: { httpOnly: true, path: '/', expires } };
const gone = (of: string) => ({ name: of, value: '', options: { httpOnly: true, path: '/', maxAge: 0 } });
const full = (letter: string): string => letter.repeat(CHUNK_SIZE);

/** Returns the cookies of a browser after a response. */
function after(cookies: Record<string, string>, answer: ReturnType<typeof writeChunked>): Record<string, string> {
  const jar = { ...cookies };
  for (const { name, value, options } of answer) {
    if (options.maxAge === 0) delete jar[name];
    else jar[name] = value;
  }
  return jar;
}

describe('readChunked', () => {
  it.each<[string, Record<string, string>, string | undefined]>([
    ['nothing', {}, undefined],
    ['one cookie', { [name]: 'v' }, 'v'],
    ['an empty cookie', { [name]: '' }, undefined],
    ['chunks', { [`${name}.0`]: full('a'), [`${name}.1`]: 'b' }, `${full('a')}b`],
    ['chunks in any order', { [`${name}.1`]: 'b', [`${name}.0`]: full('a') }, `${full('a')}b`],
    ['chunks of another size', { [`${name}.0`]: 'aaa', [`${name}.1`]: 'bbb', [`${name}.2`]: 'c' }, 'aaabbbc'],
    ['one chunk', { [`${name}.0`]: 'a' }, 'a'],
    ['a missing first chunk', { [`${name}.1`]: 'b', [`${name}.2`]: 'c' }, undefined],
    ['a missing middle chunk', { [`${name}.0`]: 'aa', [`${name}.2`]: 'cc' }, 'aa'],
    ['an empty chunk', { [`${name}.0`]: 'aa', [`${name}.1`]: '', [`${name}.2`]: 'cc' }, 'aa'],
    ['the tail of a longer value', { [`${name}.0`]: 'aa', [`${name}.1`]: 'b', [`${name}.2`]: 'cc' }, 'aab'],
    ['both forms', { [name]: 'v', [`${name}.0`]: 'a', [`${name}.1`]: 'b' }, 'v'],
    ['both forms, one empty', { [name]: '', [`${name}.0`]: 'a' }, 'a'],
    ['other names', { [`${name}-x`]: 'x', [`${name}x.0`]: 'x', [`${name}.x`]: 'x', [`x${name}`]: 'x' }, undefined],
    ['other spellings of a number', { [`${name}.00`]: 'a', [`${name}.0x0`]: 'b', [`${name}.+0`]: 'c' }, undefined],
    ['a neighbor beside the value', { [name]: 'v', [`${name}-x`]: 'x', [`${name}.x`]: 'y' }, 'v'],
  ])('reads %s', (_, cookies, value) => {
    expect(readChunked(cookies, name)).toBe(value);
  });

  it('reads a bounded number of chunks', () => {
    const cookies = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`${name}.${n}`, 'x']));
    expect(readChunked(cookies, name)).toBe('x'.repeat(CHUNKS_READ));
  });
});

describe('writeChunked', () => {
  it.each([
    [1, [name]],
    [CHUNK_SIZE, [name]],
    [CHUNK_SIZE + 1, [`${name}.0`, `${name}.1`]],
    [2 * CHUNK_SIZE, [`${name}.0`, `${name}.1`]],
    [2 * CHUNK_SIZE + 1, [`${name}.0`, `${name}.1`, `${name}.2`]],
  ])('writes %i characters as %j', (length, names) => {
    const value = Array.from({ length }, (_, n) => (n % 10).toString()).join('');
    const cookies = writeChunked({}, option, value);
    expect(cookies.map((cookie) => cookie.name)).toEqual(names);
    expect(cookies.map((cookie) => cookie.value).join('')).toBe(value);
    for (const cookie of cookies) {
      expect(cookie.options).toEqual(option.options);
      expect(cookie.value.length).toBeLessThanOrEqual(CHUNK_SIZE);
    }
  });

  it('clears further chunks of the request, old names first', () => {
    const cookies = { a: '1', [`${name}.0`]: 'x', [`${name}.1`]: 'y', [`${name}.2`]: 'z' };
    expect(writeChunked(cookies, option, 'short')).toEqual([
      gone(`${name}.0`),
      gone(`${name}.1`),
      gone(`${name}.2`),
      { ...option, value: 'short' },
    ]);
    expect(writeChunked({ [name]: 'x' }, option, `${full('a')}b`)).toEqual([
      gone(name),
      { name: `${name}.0`, options: option.options, value: full('a') },
      { name: `${name}.1`, options: option.options, value: 'b' },
    ]);
    expect(writeChunked(cookies, option, `${full('a')}b`).map((cookie) => [cookie.name, cookie.value.length])).toEqual([
      [`${name}.0`, CHUNK_SIZE],
      [`${name}.1`, 1],
      [`${name}.2`, 0],
    ]);
  });

  it('can be read with any cookies of the request before', () => {
    const values = ['s', full('a'), `${full('b')}c`, `${full('d')}${full('e')}f`];
    for (const before of values) {
      for (const value of values) {
        const jar = after({ other: '1' }, writeChunked({}, option, before));
        const next = after(jar, writeChunked(jar, option, value));
        expect(readChunked(next, name)).toBe(value);
        expect(after(next, clearChunked(next, option))).toEqual({ other: '1' });
      }
    }
  });
});

describe('clearChunked', () => {
  it('clears exactly the cookies of this name', () => {
    const ours = [name, ...Array.from({ length: CHUNKS_READ }, (_, n) => `${name}.${n}`)];
    const others = ['-x', '.x', '.00', '.01', '.-1', '.1.1', `.${CHUNKS_READ}`, '.99', '.100', 'x', '.'].map(
      (end) => name + end,
    );
    const cookies = Object.fromEntries([...others, ...ours].map((key) => [key, 'v']));
    expect(clearChunked(cookies, option)).toEqual(ours.map(gone));
    expect(clearChunked({}, option)).toEqual([]);
    expect(clearChunked({ [name]: '' }, option)).toEqual([]);
  });

  it('clears few cookies of thousands', () => {
    const header = Array.from({ length: 3000 }, (_, n) => `${name}.${n}=x`)
      .join('; ')
      .slice(0, 60_000);
    expect(clearChunked(parseCookies(header), option)).toHaveLength(CHUNKS_READ);
  });
});

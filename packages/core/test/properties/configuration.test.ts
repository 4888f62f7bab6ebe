import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { merge } from '../../src/config/provider-options.ts';
import { isPlainObject } from '../../src/plain-object.ts';
import { isAcceptableUrl, isLoopback } from '../../src/wire/bounded-fetch.ts';
import { memberNames, pollution, text } from './words.ts';

type Plain = Record<string, unknown>;

const { plain } = fc.letrec<{ plain: Plain; value: unknown }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, fc.constantFrom<unknown>(undefined, null, 1, 'x', [1], true), tie('plain')),
  // Through JSON: `__proto__` becomes a member of its own there.
  plain: fc
    .array(fc.tuple(fc.oneof(fc.constantFrom('a', 'b', 'c'), memberNames), tie('value')), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries)),
}));

describe('options laid over defaults', () => {
  it('change neither of them, nor any other object', () => {
    fc.assert(
      fc.property(plain, plain, (base, over) => {
        const before = structuredClone([base, over]);
        const merged = merge(base, over);
        expect([base, over]).toEqual(before);
        expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
        expect(pollution()).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('win unless they are undefined', () => {
    fc.assert(
      fc.property(plain, plain, (base, over) => {
        const merged = merge(base, over);
        for (const [key, value] of Object.entries(over)) {
          if (key === '__proto__') continue;
          if (value === undefined) expect(merged[key]).toBe(base[key]);
          else if (!isPlainObject(value)) expect(merged[key]).toBe(value);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the address of a provider', () => {
  it('is requested only by https, or by http on this machine', () => {
    const host = fc.constantFrom(
      'localhost', 'app.localhost', '127.0.0.1', '127.9.9.9', '[::1]', '127.1', 'localhost.evil.example',
      '127.0.0.1.evil.example', 'evil.example', '[::2]', '0.0.0.0', '10.0.0.1', 'localhost@evil.example',
    ); // biome-ignore format: a list to be read across
    const address = fc.oneof(
      text,
      fc
        .tuple(fc.constantFrom('http://', 'https://', 'ftp://', 'javascript://', ''), host, text)
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(address, (candidate) => {
        if (!isAcceptableUrl(candidate, false)) return;
        const { protocol, hostname } = new URL(candidate);
        expect(
          protocol === 'https:' ||
            (protocol === 'http:' && /^(.*\.)?localhost$|^127\.[\d.]+$|^\[::1\]$/.test(hostname)),
        ).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('may be http elsewhere if the option allows it, and never has another scheme', () => {
    fc.assert(
      fc.property(text, (candidate) => {
        if (isAcceptableUrl(candidate, true)) expect(new URL(candidate).protocol).toMatch(/^https?:$/);
        expect(isAcceptableUrl(candidate, true) || !isAcceptableUrl(candidate, false)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('is on this machine only if its whole host name matches', () => {
    fc.assert(
      fc.property(text, (more) => {
        fc.pre(more !== '');
        expect(isLoopback(`localhost${more}`)).toBe(false);
      }),
    );
  });
});

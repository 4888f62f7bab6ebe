import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCookies, serializeCookie } from '../../src/wire/cookie.ts';
import { headerText, memberNames, pollution, text, wellFormed } from './words.ts';

const name = fc.oneof(memberNames, fc.stringMatching(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,20}$/));

describe('any cookie header', () => {
  it('is read into plain text, without a throw and without a trace on other objects', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          headerText,
          fc.array(text).map((parts) => parts.join(';')),
        ),
        (header) => {
          const cookies = parseCookies(header);
          expect(Object.getPrototypeOf(cookies)).not.toBe(Object.prototype);
          for (const value of Object.values(cookies)) expect(typeof value).toBe('string');
          expect(pollution()).toEqual([]);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('returns the written values, with any other text around them', () => {
    fc.assert(
      fc.property(name, text, fc.array(headerText), fc.array(headerText), (key, value, before, after) => {
        const whole = wellFormed(value);
        const own = serializeCookie({ name: key, value: whole, options: {} });
        const others = before
          .map((part) => `other-${part.replaceAll(';', '')}`)
          .filter((part) => !part.startsWith(`${key}=`));
        const cookies = parseCookies([...others, own, ...after].join('; '));
        expect(cookies[key]).toBe(whole);
      }),
      { numRuns: 2000 },
    );
  });

  it('returns the first of equal names', () => {
    fc.assert(
      fc.property(name, fc.array(fc.stringMatching(/^[\w-]*$/), { minLength: 1 }), (key, values) => {
        expect(parseCookies(values.map((value) => `${key}=${value}`).join('; '))[key]).toBe(values[0]);
      }),
    );
  });
});

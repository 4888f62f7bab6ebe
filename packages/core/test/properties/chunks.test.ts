import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { open, seal, TokenError } from '../../src/crypto/seal.ts';
import type { Cookie } from '../../src/types/config.ts';
import { CHUNK_SIZE, CHUNKS_READ, clearChunked, readChunked, writeChunked } from '../../src/wire/cookie-chunks.ts';
import { memberNames, text } from './words.ts';

const name = 'authjs.session-token';
const option = { name, options: { path: '/' } };

/** Lengths around each boundary, up to the largest number of chunks. */
const length = fc
  .tuple(fc.nat(CHUNKS_READ), fc.integer({ min: -2, max: 2 }))
  .map(([chunks, near]) => Math.min(Math.max(chunks * CHUNK_SIZE + near, 1), CHUNKS_READ * CHUNK_SIZE));
/** Values that differ in each character. */
const value = fc.tuple(length, fc.constantFrom('a', 'b', 'c', 'é')).map(([size, letter]) => letter.repeat(size));
/** Other cookies with similar names. */
const foreign = fc.dictionary(
  fc.oneof(
    memberNames,
    text,
    fc.constantFrom('-x', '.x', '.00', '.-1', '.1.1', '.99', 'x.0', '.0x1', '.٣').map((end) => name + end),
  ),
  text,
  { maxKeys: 5 },
);

type Jar = Record<string, string>;

function after(jar: Jar, answer: readonly Cookie[]): Jar {
  const next = { ...jar };
  for (const cookie of answer) {
    if (cookie.options.maxAge === 0) delete next[cookie.name];
    else next[cookie.name] = cookie.value;
  }
  return next;
}

describe('a value in cookies', () => {
  it('can be read with any length and any other cookies', () => {
    fc.assert(
      fc.property(foreign, value, (others, written) => {
        const jar = after(others, writeChunked(others, option, written));
        expect(readChunked(jar, name) === written).toBe(true);
        expect(after(jar, clearChunked(jar, option))).toEqual(others);
      }),
    );
  });

  it('is the last of several that are set one after the other', () => {
    fc.assert(
      fc.property(foreign, fc.array(fc.option(value), { minLength: 1, maxLength: 6 }), (others, steps) => {
        let jar: Jar = others;
        for (const step of steps)
          jar = after(jar, step === null ? clearChunked(jar, option) : writeChunked(jar, option, step));
        expect(readChunked(jar, name) === (steps.at(-1) ?? undefined)).toBe(true);
        expect(Object.keys(jar).length).toBeLessThanOrEqual(Object.keys(others).length + CHUNKS_READ);
      }),
      { numRuns: 50 },
    );
  });

  it('does not depend on the order of its chunks; without some of them it is undefined or a prefix', () => {
    const mixed = value.chain((written) => {
      const parts = writeChunked({}, option, written).map((part): [string, string] => [part.name, part.value]);
      const whole = fc.shuffledSubarray(parts, { minLength: parts.length });
      return fc.record({ written: fc.constant(written), whole, some: fc.subarray(parts) });
    });
    fc.assert(
      fc.property(mixed, ({ written, whole, some }) => {
        expect(readChunked(Object.fromEntries(whole), name) === written).toBe(true);
        expect(written.startsWith(readChunked(Object.fromEntries(some), name) ?? '')).toBe(true);
      }),
    );
  });
});

describe('a sealed value whose chunks are mixed with those of another', async () => {
  const opening = { secrets: ['a-secret-for-tests-of-more-than-32-characters'], salt: name, now: new Date() };
  const sealed = async (who: string, size: number): Promise<string> =>
    await seal({ who, filling: 'x'.repeat(size) }, { ...opening, maxAge: 60 });
  const sizes = [10, 3000, 4000, 6000, 9000, 12_000];
  const written = await Promise.all(['ada', 'eve'].flatMap((who) => sizes.map((size) => sealed(who, size))));
  const parts = written
    .flatMap((text) => writeChunked({}, option, text))
    .map((part): [string, string] => [part.name, part.value]);

  it('is one of the two, or nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(parts), fc.constantFrom(...written), async (mixed, answer) => {
        const jars = [
          Object.fromEntries(mixed),
          after(Object.fromEntries(mixed), writeChunked(Object.fromEntries(mixed), option, answer)),
        ];
        const [before, then] = jars.map((jar) => readChunked(jar, name));
        expect(then).toBe(answer);
        if (before === undefined || written.includes(before)) return;
        await expect((async () => open(before, opening))()).rejects.toThrow(TokenError);
      }),
      { numRuns: 300 },
    );
  });
});

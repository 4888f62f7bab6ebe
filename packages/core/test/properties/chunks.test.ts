import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { open, seal, TokenError } from '../../src/crypto/seal.ts';
import type { Cookie } from '../../src/types.ts';
import { CHUNK_SIZE, CHUNKS_READ, clearChunked, readChunked, writeChunked } from '../../src/wire/cookie-chunks.ts';
import { memberNames, text } from './words.ts';

const name = 'authjs.session-token';
const option = { name, options: { path: '/' } };

/** Lengths around each boundary, up to as many chunks as are read. */
const length = fc
  .tuple(fc.nat(CHUNKS_READ), fc.integer({ min: -2, max: 2 }))
  .map(([chunks, near]) => Math.min(Math.max(chunks * CHUNK_SIZE + near, 1), CHUNKS_READ * CHUNK_SIZE));
/** No two of them look alike in any place. */
const value = fc.tuple(length, fc.constantFrom('a', 'b', 'c', 'é')).map(([size, letter]) => letter.repeat(size));
/** Cookies of others, with names that resemble ours. */
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
  it('is read back, whatever its length and whatever others have set', () => {
    fc.assert(
      fc.property(foreign, value, (others, written) => {
        const jar = after(others, writeChunked(others, option, written));
        expect(readChunked(jar, name) === written).toBe(true);
        expect(after(jar, clearChunked(jar, option))).toEqual(others);
      }),
    );
  });

  it('is the last one of any that followed each other', () => {
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

  it('does not depend on the order in which the browser sends its parts', () => {
    fc.assert(
      fc.property(
        value.chain((written) => {
          const parts = writeChunked({}, option, written).map((part): [string, string] => [part.name, part.value]);
          return fc.tuple(fc.constant(written), fc.shuffledSubarray(parts, { minLength: parts.length }));
        }),
        ([written, parts]) => {
          expect(readChunked(Object.fromEntries(parts), name) === written).toBe(true);
        },
      ),
    );
  });

  it('with parts missing is nothing, or its own beginning', () => {
    fc.assert(
      fc.property(
        value.chain((written) => {
          const parts = writeChunked({}, option, written).map((part): [string, string] => [part.name, part.value]);
          return fc.tuple(fc.constant(written), fc.subarray(parts));
        }),
        ([written, parts]) => {
          expect(written.startsWith(readChunked(Object.fromEntries(parts), name) ?? '')).toBe(true);
        },
      ),
    );
  });
});

describe('a sealed value whose parts got mixed with those of another one', async () => {
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

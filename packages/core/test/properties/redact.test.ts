import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact, redactText } from '../../src/log/redact.ts';
import { memberNames, pollution, text } from './words.ts';

const SECRET = 'Pl4nted';
const secretKeys = fc.constantFrom(
  'client_secret', 'clientSecret', 'access_token', 'id_token', 'refreshToken', 'password', 'cookie', 'Set-Cookie', 'authorization', 'code', 'code_verifier', 'state', 'nonce', 'client_assertion', 'body', 'query', 'challenge',
); // biome-ignore format: a list to be read across
const harmless = fc.oneof(fc.constantFrom('provider', 'id', 'message', 'list'), memberNames);
const planted = fc.oneof(
  fc.constantFrom<unknown>(SECRET, [SECRET], { deep: SECRET }, new Map([[SECRET, SECRET]]), { toString: () => SECRET }),
);
/** Where a secret hides in texts. */
const hiding = fc.constantFrom(
  `https://app.example/callback?code=${SECRET}`,
  `see https://app.example/x#access_token=${SECRET} for more`,
  `https://user:${SECRET}@app.example/x`,
  `postgres://user:${SECRET}@db.example/app`,
  `eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIn0..${SECRET}.${SECRET}.${SECRET}`,
);

function wrapped(leaf: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(harmless, tie('value'), { maxKeys: 3 }),
      tie('value').map((inner) => Object.assign(new Error(String(typeof inner)), { inner })),
    ),
  }));
  return value;
}

const text0 = (value: unknown): string => JSON.stringify(value) ?? '';

describe('log metadata', () => {
  it('of any kind are copied without an exception', () => {
    const troubles = fc.constantFrom<() => unknown>(
      () => new Proxy({}, { ownKeys: () => { throw new Error('no'); } }), // biome-ignore format: one thing
      () => Object.defineProperty({}, 'x', { enumerable: true, get: () => { throw new Error('no'); } }), // biome-ignore format: one thing
      () => Object.assign(new Error('x'), { message: 7, name: {} }),
      () => Object.assign(Object.create(null) as object, { a: 1 }),
      () => Object.setPrototypeOf({}, URL.prototype),
      () => { const ring: Record<string, unknown> = {}; ring.self = ring; return ring; }, // biome-ignore format: one thing
      () => new Date(Number.NaN),
      () => Symbol('x'),
      () => 1n,
    );
    fc.assert(
      fc.property(
        wrapped(
          fc.oneof(
            fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
            troubles.map((make) => make()),
          ),
        ),
        (value) => {
          redact(value);
          expect(pollution()).toEqual([]);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('contain no secret under the name of a secret, at any depth', () => {
    const leaf = fc.tuple(secretKeys, planted).map(([key, value]) => ({ [key]: value }));
    fc.assert(
      fc.property(wrapped(leaf), (value) => {
        expect(text0(redact(value))).not.toContain(SECRET);
      }),
      { numRuns: 1000 },
    );
  });

  it('contain no secret from a URL or token in a text', () => {
    fc.assert(
      fc.property(wrapped(fc.tuple(text, hiding, text).map((parts) => parts.join(' '))), (value) => {
        expect(text0(redact(value))).not.toContain(SECRET);
      }),
      { numRuns: 1000 },
    );
  });

  it('contain no secret of an Error or URL object', () => {
    fc.assert(
      fc.property(hiding, (hidden) => {
        expect(text0(redact({ err: new Error(hidden, { cause: SECRET }) }))).not.toContain(SECRET);
        if (URL.canParse(hidden)) expect(text0(redact({ url: new URL(hidden) }))).not.toContain(SECRET);
      }),
    );
  });

  it('have a bounded length, wherever a text is cut', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3900, max: 4200 }), hiding, (before, hidden) => {
        const short = redactText(`${'x'.repeat(before)} ${hidden}`);
        expect(short.length).toBeLessThan(4400);
        expect(short).not.toContain(SECRET);
      }),
    );
  });

  it.each(['eyJ', 'http://a', '://', 'https://x@', 'eyJabcdefghijkl.'])('of repeated %s are scanned once', (word) => {
    const runs = word.repeat(3000);
    const before = cpuUsage();
    // Read again from each of its letters, one takes a tenth of a second: all, half a minute.
    for (let count = 0; count < 300; count++) redactText(runs);
    expect(cpuUsage().user - before.user).toBeLessThan(10_000_000);
  });
});

/** Microseconds that this thread has worked; where Node.js cannot tell, the whole process. */
function cpuUsage(): NodeJS.CpuUsage {
  return (process.threadCpuUsage ?? process.cpuUsage)();
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/config/defaults.ts';
import type { Fields } from '../../src/context.ts';
import { readFields } from '../../src/entry/body.ts';
import { readNodeRequest, readRequest } from '../../src/entry/request.ts';
import { BadRequest } from '../../src/errors.ts';
import { headerText, memberNames, pollution, text, wellFormed } from './words.ts';

const FORM = 'application/x-www-form-urlencoded';
const field = fc.tuple(fc.oneof(text, memberNames).map(wellFormed), text.map(wellFormed));

function posted(body: BodyInit, type: string): Promise<Fields> {
  return readFields(
    readRequest(new Request('http://localhost/', { method: 'POST', headers: { 'content-type': type }, body })),
  );
}

/** As after a body parser. */
function parsedBefore(body: unknown, type: string): Promise<Fields> {
  const request = { method: 'POST', headers: { 'content-type': type }, body, async *[Symbol.asyncIterator]() {} };
  return readFields(readNodeRequest(request, 'http://localhost/'));
}

describe('any body', () => {
  it('gives fields, or is refused as the sender’s fault', async () => {
    const type = fc.oneof(fc.constantFrom(FORM, 'application/json', 'text/plain', 'multipart/form-data'), headerText);
    await fc.assert(
      fc.asyncProperty(fc.oneof(text, fc.json(), fc.uint8Array()), type, async (body, mediaType) => {
        try {
          const fields = await posted(body as BodyInit, mediaType);
          expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
        } catch (error) {
          expect(error).toBeInstanceOf(BadRequest);
        }
        expect(pollution()).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it('as a form gives the last of equal names, and nothing of the prototype', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(field, { maxLength: 6 }), async (fields) => {
        const expected = new Map(fields);
        const read = await posted(new URLSearchParams(fields).toString(), FORM);
        expect(new Map(Object.entries(read))).toEqual(expected);
        expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
      }),
      { numRuns: 500 },
    );
  });

  it('as JSON gives the members of the object, but for `__proto__`', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.oneof(text, memberNames), fc.jsonValue()), async (object) => {
        const source = JSON.stringify(object);
        const usual: unknown = JSON.parse(source, (name, value) => (name === '__proto__' ? undefined : value));
        const expected = Object.entries(usual as object);
        for (const read of [
          await posted(source, 'application/json'),
          await parsedBefore(JSON.parse(source), 'application/json'),
        ]) {
          expect(Object.entries(read)).toEqual(expected);
          expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('that was parsed before gives the same as one that was not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(field, { maxLength: 6 }), async (fields) => {
        const lists: Record<string, string | string[]> = {};
        const usual = fields.filter(([name]) => name !== '__proto__');
        for (const [name, value] of usual) {
          const before = Object.hasOwn(lists, name) ? lists[name] : undefined;
          lists[name] = before === undefined ? value : [before, value].flat();
        }
        expect(await parsedBefore(lists, FORM)).toEqual(await posted(new URLSearchParams(usual).toString(), FORM));
      }),
      { numRuns: 500 },
    );
  });

  it('that was parsed into anything gives fields, or is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), fc.constantFrom(FORM, 'application/json', ''), async (body, type) => {
        try {
          expect(Object.getPrototypeOf(await parsedBefore(body, type))).toBe(Object.prototype);
        } catch (error) {
          expect(error).toBeInstanceOf(BadRequest);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('is refused where its JSON is deeper than could be written again', async () => {
    const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const listed = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 2 * limits.bodyDepth }),
        fc.constantFrom(nested, listed),
        async (levels, make) => {
          const bodies = [
            posted(make(levels), 'application/json'),
            parsedBefore(JSON.parse(make(levels)), 'application/json'),
          ];
          for (const result of await Promise.allSettled(bodies)) {
            expect(result.status).toBe(levels <= limits.bodyDepth ? 'fulfilled' : 'rejected');
            if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(BadRequest);
          }
        },
      ),
    );
    await expect(posted(listed(100_000), 'application/json')).rejects.toBeInstanceOf(BadRequest);
  });
});

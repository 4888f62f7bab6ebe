import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/config/defaults.ts';
import { type Flow, readFlows, takeFlow, writeFlows } from '../../src/identity/oauth/flows.ts';
import { memberNames, text } from './words.ts';

const NOW = 1_800_000_000;
const provider = fc.constantFrom('fake', 'plain', '__proto__', 'constructor');
const tag = fc.constantFrom('t1', 't2', 't3', 't4');
const memo = fc.record({ returnTo: text, by: text, browser: text }, { requiredKeys: [] });
const flow: fc.Arbitrary<Flow> = fc
  .record(
    { value: text, provider, due: fc.integer({ min: NOW + 1, max: NOW + limits.flowAge }), tag, memo },
    { requiredKeys: ['value', 'provider', 'due'] },
  )
  .map((members) => members as Flow);
const flows = fc.array(flow, { minLength: 1, maxLength: limits.flows });

/** As it goes through a sealed cookie. */
function stored(list: readonly Flow[]): Record<string, unknown> {
  return JSON.parse(JSON.stringify(writeFlows(list))) as Record<string, unknown>;
}

describe('pending sign-ins', () => {
  it('are read back as they were written', () => {
    fc.assert(
      fc.property(flows, (list) => {
        expect(readFlows(stored(list), NOW)).toEqual(JSON.parse(JSON.stringify(list)));
      }),
      { numRuns: 500 },
    );
  });

  it('are forgotten when they are due, each at its own time', () => {
    fc.assert(
      fc.property(flows, fc.integer({ min: NOW, max: NOW + limits.flowAge + 1 }), (list, later) => {
        expect(readFlows(stored(list), later).map(({ due }) => due)).toEqual(
          list.map(({ due }) => due).filter((due) => due > later),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('are taken out one at a time, of the provider that is asked for and with the tag that is asked for', () => {
    fc.assert(
      fc.property(
        flows,
        provider,
        fc.option(tag, { nil: undefined }),
        fc.boolean(),
        (list, wanted, of, stateChecked) => {
          const { flow: taken, rest } = takeFlow(list, { provider: wanted, tag: of, stateChecked });
          expect(rest).toEqual(list.filter((one) => one !== taken));
          if (taken === undefined) {
            expect(rest).toEqual(list);
            if (of !== undefined) expect(list.some((one) => one.provider === wanted && one.tag === of)).toBe(false);
            return;
          }
          expect(taken.provider).toBe(wanted);
          if (of === undefined) expect(stateChecked).toBe(false);
          // One without a tag was written by another library, which keeps only one: the newest.
          else if (taken.tag === undefined) expect(list.indexOf(taken)).toBe(0);
          else expect(taken.tag).toBe(of);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('are none where a payload has something else', () => {
    const payload = fc.dictionary(
      fc.oneof(fc.constantFrom('value', 'provider', 'due', 'exp', 'flow', 'memo', 'older'), memberNames),
      fc.oneof(fc.jsonValue(), fc.constant(NOW + 1), text, fc.array(fc.array(fc.jsonValue()))),
    );
    fc.assert(
      fc.property(payload, (claims) => {
        const read = readFlows(claims, NOW);
        expect(read.length).toBeLessThanOrEqual(limits.flows);
        for (const one of read) {
          expect([typeof one.value, typeof one.provider, typeof one.due]).toEqual(['string', 'string', 'number']);
          expect(one.due).toBeGreaterThan(NOW);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

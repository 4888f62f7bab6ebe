import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/config/defaults.ts';
import { type FlowRecord, readRecords, takeRecord, writeRecords } from '../../src/pending/flow-records.ts';
import { memberNames, text } from './words.ts';

const NOW = 1_800_000_000;
const provider = fc.constantFrom('fake', 'plain', '__proto__', 'constructor');
const flowId = fc.constantFrom('t1', 't2', 't3', 't4');
const parts = fc.uniqueArray(fc.constantFrom('state', 'pkceCodeVerifier', 'nonce'));
const memo = fc.record({ returnTo: text, by: text, browser: text, pkce: fc.boolean(), parts }, { requiredKeys: [] });
const record: fc.Arbitrary<FlowRecord> = fc
  .record(
    { value: text, provider, due: fc.integer({ min: NOW + 1, max: NOW + limits.flowAge }), flowId, memo },
    { requiredKeys: ['value', 'provider', 'due'] },
  )
  .map((members) => members as FlowRecord);
const records = fc
  .tuple(record, fc.array(record, { maxLength: limits.flows - 1 }))
  .map(([first, rest]): [FlowRecord, ...FlowRecord[]] => [first, ...rest]);

/** As it goes through a sealed cookie. */
function stored(list: readonly [FlowRecord, ...FlowRecord[]]): Record<string, unknown> {
  return JSON.parse(JSON.stringify(writeRecords(list))) as Record<string, unknown>;
}

describe('pending sign-ins', () => {
  it('are read back as they were written', () => {
    fc.assert(
      fc.property(records, (list) => {
        expect(readRecords(stored(list), NOW)).toEqual(JSON.parse(JSON.stringify(list)));
      }),
      { numRuns: 500 },
    );
  });

  it('expire each at its own time', () => {
    fc.assert(
      fc.property(records, fc.integer({ min: NOW, max: NOW + limits.flowAge + 1 }), (list, later) => {
        expect(readRecords(stored(list), later).map(({ due }) => due)).toEqual(
          list.map(({ due }) => due).filter((due) => due > later),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('are taken out one at a time, by provider and id', () => {
    fc.assert(
      fc.property(
        records,
        provider,
        fc.option(flowId, { nil: undefined }),
        fc.boolean(),
        (list, wanted, of, needsId) => {
          const { record: taken, rest } = takeRecord(list, { provider: wanted, flowId: of, needsId });
          expect(rest).toEqual(list.filter((one) => one !== taken));
          if (taken === undefined) {
            expect(rest).toEqual(list);
            if (of !== undefined) expect(list.some((one) => one.provider === wanted && one.flowId === of)).toBe(false);
            return;
          }
          expect(taken.provider).toBe(wanted);
          if (of === undefined) expect(needsId).toBe(false);
          // Auth.js writes no id, and one record only: the newest.
          else if (taken.flowId === undefined) expect(list.indexOf(taken)).toBe(0);
          else expect(taken.flowId).toBe(of);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('are left out if a payload has other members', () => {
    const payload = fc.dictionary(
      fc.oneof(fc.constantFrom('value', 'provider', 'due', 'exp', 'flow', 'memo', 'older'), memberNames),
      fc.oneof(fc.jsonValue(), fc.constant(NOW + 1), text, fc.array(fc.array(fc.jsonValue()))),
    );
    fc.assert(
      fc.property(payload, (claims) => {
        const read = readRecords(claims, NOW);
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

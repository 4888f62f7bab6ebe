import fc from 'fast-check';
import { memberNames } from '../properties/words.ts';
import { hostileText } from './text-changes.ts';

/** Members to set in an object; `undefined` takes one away. */
export type Members = readonly (readonly [name: string, value: unknown])[];

/** Stand for what JSON can say and no value can: a number beyond all, nothing but depth. See {@link jsonText}. */
const INFINITE = '@infinite';
const DEEP = '@deep';

const numbers = fc.constantFrom(0, -1, 1e21, 2 ** 53, -1e-7, 1.5, 4e9, 1e308, Number.MAX_SAFE_INTEGER);

/** Any JSON, right and wrong shapes, names that mean something on every object. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  { weight: 2, arbitrary: numbers },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}, '', [''], [[]], INFINITE, DEEP) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.tuple(memberNames, fc.constantFrom<unknown>('x', 1, null, { polluted: 1 })), { maxLength: 3 })
      .map((entries) => Object.fromEntries(entries)),
  },
);

/** One to three members of an object, changed. */
export function members(names: readonly string[]): fc.Arbitrary<Members> {
  const name = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: memberNames });
  const value = fc.oneof({ weight: 6, arbitrary: hostileJson }, { weight: 1, arbitrary: fc.constant(undefined) });
  return fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 3 });
}

/** The object with other members. Pure. */
export function withMembers(object: object, changes: Members): object {
  return Object.fromEntries([...Object.entries(object), ...changes]);
}

const depth = `${'['.repeat(2000)}${']'.repeat(2000)}`;

/** As JSON; never fails. */
export function jsonText(value: unknown): string {
  return (JSON.stringify(value) ?? '').replaceAll(`"${INFINITE}"`, '1e999').replaceAll(`"${DEEP}"`, depth);
}

import fc from 'fast-check';
import { memberNames } from '../properties/words.ts';
import { changedText, hostileText, type TextChange, textChange } from './text-changes.ts';

/** A name and its value: a parameter, a field, a cookie. */
export type Pair = readonly [name: string, value: string];

/** One thing done to a list of names and values. Numbers begin anew where the list is shorter. */
export type PairChange =
  | { readonly how: 'drop' | 'double' | 'move'; readonly index: number }
  | { readonly how: 'value' | 'before' | 'after'; readonly index: number; readonly change: TextChange }
  | { readonly how: 'rename'; readonly index: number; readonly name: string }
  | { readonly how: 'add'; readonly name: string; readonly value: string }
  | { readonly how: 'swap'; readonly index: number; readonly other: number }
  | { readonly how: 'splice'; readonly index: number; readonly other: number; readonly at: number };

/**
 * @param names Names that mean something here.
 */
export function pairChange(names: readonly string[]): fc.Arbitrary<PairChange> {
  const name = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: memberNames });
  const index = fc.nat(40);
  const how = <H extends string>(...all: H[]): fc.Arbitrary<H> => fc.constantFrom(...all);
  return fc.oneof(
    { weight: 2, arbitrary: fc.record({ how: how('drop', 'double', 'move'), index }) },
    { weight: 5, arbitrary: fc.record({ how: how('value', 'value', 'before', 'after'), index, change: textChange }) },
    { weight: 1, arbitrary: fc.record({ how: how('rename'), index, name }) },
    { weight: 2, arbitrary: fc.record({ how: how('add'), name, value: hostileText }) },
    { weight: 2, arbitrary: fc.record({ how: how('swap'), index, other: index }) },
    { weight: 1, arbitrary: fc.record({ how: how('splice'), index, other: index, at: fc.nat(500) }) },
  );
}

/**
 * The changed list. Pure.
 *
 * @param others Names and values of other requests, for what takes something from there.
 */
export function changedPairs(pairs: readonly Pair[], change: PairChange, others: readonly Pair[]): Pair[] {
  if (change.how === 'add') return [...pairs, [change.name, change.value]];
  const index = change.index % Math.max(pairs.length, 1);
  const pair = pairs[index];
  if (!pair) return [...pairs];
  const [name, value] = pair;
  const instead = (...some: Pair[]): Pair[] => [...pairs.slice(0, index), ...some, ...pairs.slice(index + 1)];
  switch (change.how) {
    case 'drop':
      return instead();
    case 'double':
      return instead(pair, pair);
    case 'move':
      return [...instead(), pair];
    case 'value':
      return instead([name, changedText(value, change.change)]);
    case 'before':
      return instead([name, changedText(value, change.change)], pair);
    case 'after':
      return instead(pair, [name, changedText(value, change.change)]);
    case 'rename':
      return instead([change.name, value]);
    case 'swap':
      return instead([name, otherOf(others, name, change.other)]);
    case 'splice': {
      const other = otherOf(others, name, change.other);
      const at = change.at % (value.length + 1);
      return instead([name, value.slice(0, at) + other.slice(at)]);
    }
  }
}

/** A value of the same name where others have one, else any. */
function otherOf(others: readonly Pair[], name: string, number: number): string {
  const same = others.filter(([one]) => one === name);
  const list = number % 3 > 0 && same.length > 0 ? same : others;
  return list[number % Math.max(list.length, 1)]?.[1] ?? '';
}

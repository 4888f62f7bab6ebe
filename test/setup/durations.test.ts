import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const files = globSync(['packages/*/test/**/*.{ts,tsx}', 'examples/*/test/**/*.ts', 'test/**/*.ts'], {
  cwd: root,
  exclude: ['**/node_modules/**', 'test/{peers,compat,soak}/**', 'test/setup/**'],
});

/** A difference of two readings of a clock. */
const measured = String.raw`(?:performance|Date)\.now\(\) ?- ?\w+`;
/** Equality, or an upper bound. */
const exact = String.raw`\.(?:toBe|toEqual|toStrictEqual|toBeLessThan|toBeLessThanOrEqual|toBeCloseTo)\(`;
const rules = [
  new RegExp(String.raw`expect\(${measured}\)${exact}`),
  // Recorded durations: `toEqual([10_000])`, `toEqual(new Set([10_000]))`.
  /\.(?:toEqual|toStrictEqual)\((?:new Set\()?\[(?:\d{1,3}_?000(?:, )?)+\]\)/,
];

const isExact = (line: string): boolean => rules.some((rule) => rule.test(line));

it.each([
  'expect(new Set(asked)).toEqual(new Set([10_000]));',
  'expect(waits).toEqual([1000, 2000]);',
  'expect(performance.now() - before).toBeLessThan(75);',
  'expect(Date.now() - start).toBe(75);',
])('finds %s', (line) => {
  expect(isExact(line)).toBe(true);
});

it('no test expects an exact duration or an upper bound, because a busy machine is slow', () => {
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (isExact(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(files.length).toBeGreaterThan(400);
  expect(found, 'compare a lower bound and the order, or use the Clock of @latchkey/testing').toEqual([]);
});

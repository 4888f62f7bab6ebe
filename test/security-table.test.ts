import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defaults, limits } from '../packages/core/src/config/defaults.ts';

const root = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const page = read('docs/security.md');

function numbers(prefix: string, last: number): string[] {
  return Array.from({ length: last }, (_, index) => `${prefix}${index + 1}`);
}

/** Weak points, attacks and faults that have to have a row, in this order. */
const expected = [
  ...numbers('P', 29),
  ...numbers('', 148),
  ...[...'abcdefghijklmnopqrstuv'].map((letter) => `148${letter}`),
  ...['149', '150'],
  ...numbers('L', 3),
  ...numbers('R', 24),
];

/** Published advisories of the field that have to be among the first column of a row. */
const advisories = [
  'GHSA-7rqj-j65f-68wh',
  'GHSA-x445-f3h2-j279',
  'GHSA-xmf8-cvqr-rfgj',
  'GHSA-8fpg-xm3f-6cx3',
  'GHSA-5jpx-9hw9-2fx4',
  'CVE-2023-48309',
  'CVE-2023-27490',
  'CVE-2022-39263',
  'CVE-2022-35924',
  'CVE-2022-31127',
  'CVE-2022-31093',
  'CVE-2022-29214',
  'CVE-2022-24858',
  'CVE-2026-121802',
  'CVE-2026-114607',
  'CVE-2026-110862',
  'CVE-2026-110864',
  'CVE-2026-53516',
  'GHSA-wxw3-q3m9-c3jr',
  'CVE-2025-61928',
  'CVE-2025-71403',
  'CVE-2025-27143',
  'CVE-2024-56734',
  'GHSA-569q-mpph-wgww',
  'GHSA-mm7p-fcc7-pg87',
  'GHSA-xv97-c62v-4587',
  'GHSA-9h6g-pr28-7cqp',
  'GHSA-vvjj-xcjg-gr5g',
  'CVE-2025-29927',
  'CVE-2024-28176',
  'CVE-2023-7028',
];

/** The cells of each row of each table; a bar within a cell is written `\|`. */
function rowsIn(part = ''): string[][] {
  return part
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (#|limit) \|/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim().replaceAll('\\|', '|')),
    );
}

const [table, limitsTable] = (page.split('\n## The table\n')[1] ?? '').split('\n## Limits\n');
const rows = rowsIn(table);
const limitRows = rowsIn(limitsTable);

/** Each limit and default by its path, with its value. */
function leaves(path: string, value: unknown): [path: string, value: unknown][] {
  const isRule = typeof value === 'object' && value !== null && 'window' in value;
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isRule) return [[path, value]];
  return Object.entries(value).flatMap(([name, member]) => leaves(`${path}.${name}`, member));
}

/** The numbers in a text, however their digits are grouped. */
function numbersIn(text: string): string[] {
  return text.replace(/(?<=\d) (?=\d{3}\b)/g, '').match(/\d+/g) ?? [];
}

/** A test that a row names: `path › title`, or `path › title › case`. */
interface Named {
  readonly path: string;
  readonly title: string;
  readonly example: string | undefined;
}

/** Returns the tests in a cell, which are in code marks. A title with a backtick is between double backticks. */
function testsIn(cell: string): Named[] {
  const spans = [...cell.matchAll(/(`{1,2}) ?(.+?) ?\1(?!`)/g)].map(([, , text = '']) => text.split(' › '));
  return spans.map(([path = '', title = '', example]) => ({ path, title, example }));
}

const sources = new Map<string, string>();

function sourceOf(path: string): string {
  const known = sources.get(path) ?? (existsSync(new URL(path, root)) ? read(path) : '');
  sources.set(path, known);
  return known;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** The faults of FakeProvider, which are the cases of several test files. */
const faults = readdirSync(new URL('packages/testing/src/fake-provider', root))
  .filter((file) => file.endsWith('-faults.ts'))
  .map((file) => read(`packages/testing/src/fake-provider/${file}`))
  .join('\n');

/** Tells whether a text is the title of a test in a source: a function follows it, possibly after options. */
function hasTest(source: string, title: string): boolean {
  const call = `\\(\\s*(['"\`])${escaped(title)}\\1,\\s*(?:\\{[^{}]*\\},\\s*)?(?:async\\s*)?(?:\\(|\\w+ =>)`;
  return new RegExp(call).test(source);
}

describe('docs/security.md', () => {
  it('has a row for each weak point, attack and fault, once and in order', () => {
    const found = rows.map(([number]) => number ?? '').filter((number) => /^[PRL]?\d+[a-z]?$/.test(number));
    expect(found).toEqual(expected);
  });

  it('has a row for each published advisory', () => {
    const named = rows.flatMap(([first = '']) => first.split(', '));
    expect(advisories.filter((advisory) => !named.includes(advisory))).toEqual([]);
  });

  it('says the rule of each row and names a test for it', () => {
    const bare = [...rows, ...limitRows].filter(
      (cells) => cells.length < 3 || cells.some((cell) => cell === '') || testsIn(cells.at(-1) ?? '').length === 0,
    );
    expect(bare).toEqual([]);
  });

  it('names only existing tests', () => {
    const named = [...rows, ...limitRows].flatMap(([number, ...cells]) =>
      testsIn(cells.at(-1) ?? '').map((test) => ({ number, ...test })),
    );
    expect(named.length).toBeGreaterThan(expected.length);
    const missing = named.filter(({ path, title, example }) => {
      const source = sourceOf(path);
      return (
        !hasTest(source, title) ||
        (example !== undefined && !source.includes(example) && !faults.includes(`${example}:`))
      );
    });
    expect(missing).toEqual([]);
  });

  it('has a row for each limit and default, with its value', () => {
    const told = new Map(limitRows.map(([name = '', value = '']) => [name, numbersIn(value)]));
    const all = [...leaves('limits', limits), ...leaves('defaults', defaults)];
    expect(all.length).toBeGreaterThan(25);
    const wrong = all.filter(([path, value]) => {
      const numbers = told.get(`\`${path}\``);
      return !numbers || numbersIn(JSON.stringify(value)).some((number) => !numbers.includes(number));
    });
    expect(wrong).toEqual([]);
  });

  it('detects a missing test', () => {
    const source =
      "it('is there', () => {});\nit.each(cases)(\n  'is %s, too',\n  async (one) => {});\nexpect(x, 'is none').toBe(1)";
    expect(['is there', 'is %s, too', 'is none', 'is gone'].map((title) => hasTest(source, title))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('names each file of attacks', () => {
    const folder = 'packages/core/test/attacks';
    const files = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`);
    expect(files.filter((file) => !page.includes(file))).toEqual([]);
  });
});

describe('docs/concepts/threat-model.md', () => {
  const model = read('docs/concepts/threat-model.md');
  const files = new Map(
    [...model.matchAll(/^\[([\w-]+)\]: \.\.\/\.\.\/(\S+)$/gm)].map(([, label = '', path = '']) => [label, path]),
  );
  const threats = rowsIn(model)
    .filter((cells) => cells.length === 4 && cells[3]?.startsWith('['))
    .map(([threat = '', , numbered = '', tests = '']) => ({
      threat,
      rows: numbered.replaceAll('`', '').split(', '),
      tests: [...tests.matchAll(/\[([\w-]+)\]/g)].map(([, label = '']) => files.get(label)),
    }));

  it('has the threats of each attacker', () => {
    const attackers = [...model.matchAll(/^\| \[[^\]]+\]\(#([\w-]+)\)/gm)].map(([, anchor]) => anchor);
    const sections = [...model.matchAll(/^### (.+)$/gm)].map(([, heading = '']) =>
      heading.toLowerCase().replaceAll(' ', '-'),
    );
    expect(sections).toEqual(attackers);
    expect(threats.length).toBeGreaterThan(40);
  });

  it.each(threats)('has tests of the table of attacks for: $threat', ({ rows: numbered, tests }) => {
    const attacks = rows.filter(([number = '']) => numbered.includes(number));
    expect(attacks.map(([number]) => number).sort()).toEqual([...numbered].sort());
    const named = attacks.flatMap((cells) => testsIn(cells.at(-1) ?? '').map(({ path }) => path));
    expect(named).toEqual(expect.arrayContaining(tests));
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { countFindings, grownRules, worseThan } from '../scripts/prose/baseline.ts';
import { type Finding, findingsIn } from '../scripts/prose/findings.ts';

const folder = mkdtempSync(join(tmpdir(), 'prose-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Checks one file with this content, and returns `line rule` for each finding. */
async function check(name: string, ...lines: string[]): Promise<string[]> {
  writeFileSync(join(folder, name), lines.join('\n'));
  return (await findingsIn([name], folder)).map(({ line, rule }) => `${line} ${rule}`);
}

const finding: Finding = { path: 'a.ts', line: 1, rule: 'wording', message: '' };

describe('npm run prose', () => {
  it('accepts plain sentences', async () => {
    expect(await check('good.md', '# Sessions', '', 'If `AUTH_URL` is not set, the host must be trusted.')).toEqual([]);
  });

  it('reports wording, spelling, long lines and long sentences of a page', async () => {
    const long = `${'The store keeps this row '.repeat(6)}here.`;
    const found = await check('bad.md', 'This `url` is no address.', '', 'The colour is red.', '', long);
    expect(found.sort()).toEqual(['1 wording', '3 spelling', '5 line-length', '5 sentence-length']);
  });

  it('reports comments and messages of a source by their lines', async () => {
    const code = [
      '/**',
      ' * Nobody reads `nobody`.',
      ' */',
      'export const nobody = 1;',
      "throw Error('The value is no number');",
    ];
    expect(await check('source.ts', ...code)).toEqual(['2 wording', '5 wording']);
  });

  it('reads lines of one comment together', async () => {
    expect(await check('lines.ts', 'const a = 1;', '// The value is', '// no number.')).toEqual(['2 wording']);
  });

  it('reports titles of tests, and no other strings there', async () => {
    mkdirSync(join(folder, 'test'));
    const code = ["it('asks nobody', () => {});", "expect(answer).toBe('nobody is signed in');"];
    expect(await check('test/titles.ts', ...code)).toEqual(['1 wording']);
  });

  it('reads the script of a Svelte component', async () => {
    expect(await check('a.svelte', '<p>nobody</p>', '<script>', '// Asks nobody.', '</script>')).toEqual(['3 wording']);
  });

  it('fails for a file that has more findings of a rule than the baseline', () => {
    const baseline = countFindings([finding]);
    expect(worseThan(baseline, [finding])).toEqual([]);
    expect(worseThan(baseline, [finding, { ...finding, line: 2 }])).toHaveLength(2);
    expect(worseThan(baseline, [{ ...finding, rule: 'spelling' }])).toHaveLength(1);
    expect(worseThan(baseline, [{ ...finding, path: 'b.ts' }])).toHaveLength(1);
  });

  it('writes no larger baseline, but lets findings move with their file', () => {
    const baseline = countFindings([finding]);
    expect(grownRules(baseline, countFindings([{ ...finding, path: 'moved.ts' }]))).toEqual([]);
    expect(grownRules(baseline, countFindings([finding, { ...finding, line: 2 }]))).toEqual(['wording']);
  });
});

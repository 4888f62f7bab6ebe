import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findingsIn } from '../scripts/prose/findings.ts';

const folder = mkdtempSync(join(tmpdir(), 'prose-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Checks one file with this content, and returns `line rule` for each finding. */
async function check(name: string, ...lines: string[]): Promise<string[]> {
  writeFileSync(join(folder, name), lines.join('\n'));
  return (await findingsIn([name], folder)).map(({ line, rule }) => `${line} ${rule}`);
}

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
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as errors from '@latchkey/core/errors';
import { afterAll, describe, expect, it } from 'vitest';
import { anchorsIn, linksIn } from '../scripts/links/markdown.ts';

const root = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const page = read('docs/errors.md');
/** Sections by the anchor that GitHub and most renderers make of a one-word heading. */
const sections = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((section) => [section.split('\n')[0]?.toLowerCase() ?? '', section]),
);

/** Members of a union of string literals, from the source: types leave nothing behind at run time. */
function members(path: string, name: string): string[] {
  const union = new RegExp(`^export type ${name} =([^;]+);`, 'm').exec(read(path))?.[1] ?? '';
  return [...union.matchAll(/'([^']+)'/g)].map(([, member]) => member ?? '');
}

const classes = Object.values(errors).filter(
  (value): value is typeof errors.AuthError =>
    typeof value === 'function' && value.prototype instanceof errors.AuthError,
);
const types = [...new Set([errors.AuthError, ...classes].map(({ type }) => type))];
const codes = members('packages/core/src/types/config.ts', 'WarningCode');

describe('the package of the core', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-docs-'));
  const script = fileURLToPath(new URL('packages/core/scripts/pack-docs.mjs', root));
  execFileSync(process.execPath, [script], { cwd: folder });
  afterAll(() => rmSync(folder, { recursive: true }));
  const packed = readdirSync(join(folder, 'docs'));
  const anchorsOf = (name: string): Set<string> => anchorsIn(readFileSync(join(folder, 'docs', name), 'utf8'));

  it('has the page that messages name, and what it links to', () => {
    expect(packed).toContain('errors.md');
    const { files } = JSON.parse(read('packages/core/package.json')) as { files: string[] };
    expect(files).toContain('docs');
    for (const name of packed) {
      const text = readFileSync(join(folder, 'docs', name), 'utf8');
      for (const { target } of linksIn(text)) {
        if (/^(https?:|mailto:)/.test(target) || target === '../README.md') continue;
        const [file = '', anchor] = target.split('#');
        expect(packed, `${name} → ${target}`).toContain(file || name);
        if (anchor) expect(anchorsOf(file || name), `${name} → ${target}`).toContain(anchor);
      }
    }
  });
});

describe('docs/errors.md', () => {
  it.each(types)('says about the error %s what happened and what to do', (type) => {
    const section = sections.get(type.toLowerCase());
    expect(section?.split('\n')[0]).toBe(type);
    expect(section).toContain('**Remedy:**');
  });

  it.each(codes)('says about the warning %s what it means and what to do', (code) => {
    expect(sections.get(code)).toContain('**Remedy:**');
  });

  it('has a section for every type and code, and for nothing else', () => {
    expect(types.length).toBeGreaterThan(30);
    expect(codes.length).toBeGreaterThan(5);
    expect([...sections.keys()].sort()).toEqual([...types.map((type) => type.toLowerCase()), ...codes].sort());
  });

  it.each(classes.map((one) => [one.name, one] as const))('is where the message of %s points to', (_, one) => {
    const anchor = /See @latchkey\/core\/docs\/errors\.md#(\S+)$/.exec(new one('It went wrong').message)?.[1];
    expect(sections.has(anchor ?? '')).toBe(true);
  });

  it.each(classes.map((one) => [one.name, one] as const))('tells the `?error=` that visitors get for %s', (_, one) => {
    const { type, kind, shown } = one;
    if (kind === 'error' && shown === 'Configuration') return;
    if (type === 'AuthError') return;
    expect(sections.get(type.toLowerCase())).toContain(`?error=${shown}`);
  });
});

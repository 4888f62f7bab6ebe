import { readFileSync } from 'node:fs';
import * as errors from '@latchkey/core/errors';
import { describe, expect, it } from 'vitest';

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

const types = members('packages/core/src/errors/base.ts', 'ErrorType');
const codes = members('packages/core/src/types.ts', 'WarningCode');

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

  it('has no links into itself that lead nowhere', () => {
    const anchors = new Set(
      [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading?.toLowerCase().replaceAll(' ', '-')),
    );
    for (const [, anchor] of page.matchAll(/\]\(#([^)]+)\)/g)) expect(anchors).toContain(anchor);
  });

  const classes = Object.values(errors).filter(
    (value): value is typeof errors.AuthError => typeof value === 'function' && value.prototype instanceof Error,
  );

  it.each(classes.map((one) => [one.name, one] as const))('is where the message of %s points to', (_, one) => {
    const anchor = /See docs\/errors\.md#(\S+)$/.exec(new one('It went wrong').message)?.[1];
    expect(sections.has(anchor ?? '')).toBe(true);
  });

  it.each(classes.map((one) => [one.name, one] as const))('tells the `?error=` that visitors get for %s', (_, one) => {
    const { type, kind, shown } = one;
    if (kind === 'error' && shown === 'Configuration') return;
    if (type === 'AuthError') return;
    expect(sections.get(type.toLowerCase())).toContain(`?error=${shown}`);
  });
});

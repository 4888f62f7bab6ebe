import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { changesets, checkChangesets, nextVersion } from '../scripts/changesets.mjs';

const opened: string[] = [];
afterEach(() => {
  for (const folder of opened.splice(0)) rmSync(folder, { recursive: true });
});

/** A repository with one release, version 0.1.0. */
function repository() {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-changesets-'));
  opened.push(folder);
  const git = (...args: string[]): void => {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
  };
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const commit = (): void => {
    git('add', '-A');
    git('commit', '-m', 'a change');
  };
  const setVersion = (version: string): void =>
    write('packages/core/package.json', JSON.stringify({ name: 'core', version }, undefined, 2));
  const addChangeset = (): void => write('.changeset/new.md', "---\n'@latchkey/core': minor\n---\n\nA change.\n");
  const removeChangeset = (): void => rmSync(join(folder, '.changeset/new.md'));
  git('init', '-b', 'main');
  setVersion('0.1.0');
  write('.changeset/README.md', '# Changesets\n');
  write('packages/core/src/index.ts', 'export {};\n');
  commit();
  return { folder, git, write, commit, setVersion, addChangeset, removeChangeset };
}

describe('a change of a source', () => {
  it('needs a changeset', () => {
    const { folder, write, addChangeset } = repository();
    expect(() => checkChangesets(folder)).not.toThrow();
    write('packages/core/src/index.ts', 'export const one = 1;\n');
    expect(() => checkChangesets(folder)).toThrow('1 files below packages/*/src have changed');
    addChangeset();
    expect(() => checkChangesets(folder)).not.toThrow();
  });

  it('needs none any more after `npm run version`, before the tag and before the commit', () => {
    const { folder, write, commit, setVersion, addChangeset, removeChangeset } = repository();
    write('packages/core/src/index.ts', 'export const one = 1;\n');
    addChangeset();
    commit();
    setVersion('0.2.0');
    removeChangeset();
    expect(() => checkChangesets(folder)).not.toThrow();
    commit();
    expect(() => checkChangesets(folder)).not.toThrow();
    write('packages/core/src/index.ts', 'export const two = 2;\n');
    expect(() => checkChangesets(folder)).toThrow('run `npm run changeset`');
  });

  it('counts from the tag if that is newer than the version', () => {
    const { folder, write, commit, git } = repository();
    write('packages/core/src/index.ts', 'export const one = 1;\n');
    commit();
    expect(() => checkChangesets(folder)).toThrow();
    git('tag', 'v0.1.1');
    expect(() => checkChangesets(folder)).not.toThrow();
  });
});

it('the strongest bump decides the next version', () => {
  const { folder, addChangeset, write } = repository();
  write('.changeset/fix.md', "---\n'@latchkey/core': patch\n---\n\nA fix.\n");
  expect(nextVersion('0.1.0', changesets(folder))).toBe('0.1.1');
  addChangeset();
  expect(nextVersion('0.1.3', changesets(folder))).toBe('0.2.0');
  expect(nextVersion('0.1.3', [{ file: '', bump: 'major', summary: '' }])).toBe('1.0.0');
});

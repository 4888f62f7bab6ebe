import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

const { repository: source } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  repository: { url: string };
};

/** Absolute URLs of files in this repository begin with this text. */
export const repository: string = `${source.url.replace(/^git\+|\.git$/g, '')}/blob/main/`;

/** Returns the paths of the hand-written and generated Markdown pages of this repository, in alphabetical order. */
export function documents(): string[] {
  const patterns = [
    '*.md',
    '{.changeset,bench,decisions}/*.md',
    'docs/**/*.md',
    '{examples,packages}/*/README.md',
    'packages/*/test/**/README.md',
    'test/*/README.md',
  ];
  const isOwn = (path: string): boolean => !/(^|\/)(node_modules|dist|fixtures)\//.test(path);
  return globSync(patterns, { cwd: root, exclude: (path) => /^(node_modules|dist)$/.test(String(path)) })
    .map((path) => path.replaceAll('\\', '/'))
    .filter(isOwn)
    .sort();
}

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { appendTo, checkTarget, create, readIfPresent } from './files.ts';
import { Failure } from './terminal.ts';

const FILE = '.gitignore';

/**
 * Tests whether git ignores a file in a folder: by the `.gitignore` of the folder, or of a folder above it in the same
 * repository. Patterns with a slash inside do not count.
 */
export function isIgnored(folder: string, name: string): boolean {
  for (let place = folder; ; place = dirname(place)) {
    const verdict = verdictOf(readIfPresent(join(place, FILE)) ?? '', name, place === folder);
    if (verdict !== undefined) return verdict;
    if (existsSync(join(place, '.git')) || place === dirname(place)) return false;
  }
}

/**
 * Checks that git does not track a file. The next commit would include its changes, also if `.gitignore` has the file.
 * Without the program `git`, the check passes.
 *
 * @throws {Failure} if git tracks the file.
 */
export function checkUntracked(folder: string, name: string): void {
  const { status } = spawnSync('git', ['ls-files', '--error-unmatch', '--', name], { cwd: folder, stdio: 'ignore' });
  if (status !== 0) return;
  throw new Failure(`git tracks ${name}, and would commit the secret. Run \`git rm --cached ${name}\` first`, 1);
}

/**
 * Adds a file to the `.gitignore` of its folder.
 *
 * @throws {Failure} if `.gitignore` is a symbolic link.
 */
export function ignore(folder: string, name: string): void {
  const file = join(folder, FILE);
  checkTarget(folder, file);
  if (existsSync(file)) appendTo(file, `${name}\n`);
  else create(file, `${name}\n`, 0o644);
}

/** Returns what the last pattern that matches says; `undefined` if none does. */
function verdictOf(text: string, name: string, isOwnFolder: boolean): boolean | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const last = lines.findLast((line) => {
    const pattern = line.replace(/^!/, '').replace(/^\*\*\//, '');
    return patternOf(isOwnFolder ? pattern.replace(/^\//, '') : pattern).test(name);
  });
  return last === undefined ? undefined : !last.startsWith('!');
}

function patternOf(glob: string): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
  return new RegExp(`^${source}$`);
}

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from './run.mjs';
import { root } from './setup.mjs';

/**
 * A changeset: a file in `.changeset` that `npm run changeset` writes.
 *
 * @typedef {{ file: string, summary: string }} Changeset
 */

/**
 * Returns the changesets that wait for a release.
 *
 * @returns {Changeset[]}
 */
export function changesets() {
  const folder = join(root, '.changeset');
  const files = readdirSync(folder).filter((file) => file.endsWith('.md') && file !== 'README.md');
  return files.sort().map((file) => {
    const [, , summary = ''] = readFileSync(join(folder, file), 'utf8').split(/^---$/m);
    return { file: `.changeset/${file}`, summary: summary.trim() };
  });
}

/**
 * Checks that a change of a package's sources has a changeset. The change is what this branch adds to `origin/main`; on
 * `main` itself, what was added since the last tag.
 *
 * @throws {Problem} if the changeset is missing.
 */
export function checkChangesets() {
  const base = baseOf();
  const changed = base === undefined ? [] : lines('diff', '--name-only', '--no-renames', base, '--');
  const sources = changed.filter((path) => /^packages\/[^/]+\/src\//.test(path));
  const waiting = new Set(changesets().map(({ file }) => file));
  const untracked = lines('ls-files', '--others', '--exclude-standard', '.changeset');
  const isNew = [...changed, ...untracked].some((path) => waiting.has(path));
  // Without a base, the whole project waits for its first release.
  const isMissing = base === undefined ? waiting.size === 0 : sources.length > 0 && !isNew;
  if (!isMissing) return;
  throw new Problem(
    `${sources.length || 'all'} files below packages/*/src have changed, and no file in .changeset says so: ` +
      'run `npm run changeset`, then commit the file that it writes',
  );
}

/** @returns {string | undefined} */
function baseOf() {
  const head = lines('rev-parse', 'HEAD')[0];
  const [shared] = tryLines('merge-base', 'HEAD', 'origin/main');
  if (shared !== undefined && shared !== head) return shared;
  return tryLines('describe', '--tags', '--abbrev=0', '--match', 'v*')[0];
}

/** @param {string[]} args */
const lines = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);

/** @param {string[]} args */
function tryLines(...args) {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\n')
      .filter(Boolean);
  } catch {
    return [];
  }
}

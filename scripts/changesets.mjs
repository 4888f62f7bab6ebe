import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from './run.mjs';
import { root } from './setup.mjs';

/**
 * A changeset: a file in `.changeset` that `npm run changeset` writes.
 *
 * @typedef {{ file: string, bump: Bump, summary: string }} Changeset
 * @typedef {'major' | 'minor' | 'patch'} Bump
 */

/** @type {readonly Bump[]} */
const bumps = ['major', 'minor', 'patch'];

/**
 * Returns the changesets that wait for a release.
 *
 * @param {string} [project] The folder of the repository.
 * @returns {Changeset[]}
 */
export function changesets(project = root) {
  const folder = join(project, '.changeset');
  const files = readdirSync(folder).filter((file) => file.endsWith('.md') && file !== 'README.md');
  return files.sort().map((file) => {
    const [, packages = '', summary = ''] = readFileSync(join(folder, file), 'utf8').split(/^---$/m);
    const bump = bumps.find((one) => packages.includes(`: ${one}`)) ?? 'patch';
    return { file: `.changeset/${file}`, bump, summary: summary.trim() };
  });
}

/**
 * Returns the version that all packages get: the strongest bump of the changesets decides.
 *
 * @param {string} version The present version.
 * @param {readonly Changeset[]} waiting
 */
export function nextVersion(version, waiting) {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const strongest = bumps.find((one) => waiting.some(({ bump }) => bump === one));
  if (strongest === 'major') return `${major + 1}.0.0`;
  return strongest === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/**
 * Checks that a change of a package's sources has a changeset. The change is what this branch adds to `origin/main`; on
 * `main` itself, what was added since the last tag. `npm run version` uses the changesets up, so what was added before
 * it does not count.
 *
 * @param {string} [project] The folder of the repository.
 * @throws {Problem} if the changeset is missing.
 */
export function checkChangesets(project = root) {
  const { lines, tryLines } = gitIn(project);
  if (lines('diff', 'HEAD', '-G"version":', '--name-only', '--', VERSIONED).length > 0) return;
  const base = baseOf(tryLines);
  const changed = base === undefined ? [] : lines('diff', '--name-only', '--no-renames', base, '--');
  const sources = changed.filter((path) => /^packages\/[^/]+\/src\//.test(path));
  const waiting = new Set(changesets(project).map(({ file }) => file));
  const untracked = lines('ls-files', '--others', '--exclude-standard', '.changeset');
  const isNew = [...changed, ...untracked].some((path) => waiting.has(path));
  if (sources.length === 0 || isNew) return;
  throw new Problem(
    `${sources.length} files below packages/*/src have changed, and no file in .changeset says so: ` +
      'run `npm run changeset`, then commit the file that it writes',
  );
}

/** All packages have the version of this one. */
const VERSIONED = 'packages/core/package.json';

/**
 * Returns the commit from which changes count: the newest of the branch's beginning, the last tag and the last release.
 *
 * @param {(...args: string[]) => string[]} git
 */
function baseOf(git) {
  const [head] = git('rev-parse', 'HEAD');
  const [shared] = git('merge-base', 'HEAD', 'origin/main');
  const [tag] = git('rev-list', '-1', ...git('describe', '--tags', '--abbrev=0', '--match', 'v*'));
  const begin = shared !== undefined && shared !== head ? shared : tag;
  const [release] = git('log', '-1', '--format=%H', '-G"version":', '--', VERSIONED);
  if (begin === undefined || release === undefined) return begin ?? release;
  return git('rev-list', '-1', `${begin}..${release}`).length > 0 ? release : begin;
}

/** @param {string} cwd */
function gitIn(cwd) {
  /** @param {string[]} args */
  const lines = (...args) =>
    execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
      .split('\n')
      .filter(Boolean);
  /** @param {string[]} args */
  const tryLines = (...args) => {
    try {
      return lines(...args);
    } catch {
      return [];
    }
  };
  return { lines, tryLines };
}

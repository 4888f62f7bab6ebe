import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SqlAdapter } from '@latchkey/adapter-sql';
import type { Auth } from '@latchkey/core';
import { inTurn } from '../../../scripts/build-when-needed.ts';

const root = join(import.meta.dirname, '../../..');

/** A version of the packages. */
export interface Version {
  readonly name: string;
  readonly Auth: typeof Auth;
  readonly customFetch: symbol;
  readonly SqlAdapter: typeof SqlAdapter;
}

/**
 * Returns the commit of the previous version: the newest tag `v*` before this commit. Before the first release, it is
 * where this branch left `origin/main`, or the commit before this one. `undefined` in a repository without history.
 */
export function previousCommit(): string | undefined {
  const head = git('rev-parse', 'HEAD')[0];
  const tags = git('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-v:refname');
  const refs = [...tags, ...git('merge-base', 'HEAD', 'origin/main'), 'HEAD~1'];
  return refs.flatMap((ref) => git('rev-list', '-1', ref)).find((commit) => commit !== head);
}

function git(...args: string[]): string[] {
  try {
    const text = execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return text.split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

/** Builds the packages of a commit, unless that was done before, and loads them. */
export async function loadVersion(commit: string): Promise<Version> {
  // Node.js imports packages below `node_modules` itself, so the aliases of the tests do not concern them.
  const folder = join(root, 'node_modules/.cache/latchkey/previous', commit, 'node_modules/@latchkey');
  await inTurn(async () => {
    if (!existsSync(folder)) install(commit, folder);
  });
  const load = (name: string): Promise<Version> => import(pathToFileURL(join(folder, name, 'dist/index.js')).href);
  const { Auth, customFetch } = await load('core');
  const { SqlAdapter } = await load('adapter-sql');
  return { name: 'the previous version', Auth, customFetch, SqlAdapter };
}

const INSTALLED = ['core', 'adapter-sql'];

function install(commit: string, folder: string): void {
  const tree = mkdtempSync(join(tmpdir(), 'latchkey-previous-'));
  try {
    build(commit, tree);
    for (const name of INSTALLED) {
      for (const part of ['dist', 'package.json']) {
        cpSync(join(tree, 'packages', name, part), join(`${folder}-new`, name, part), { recursive: true });
      }
    }
    renameSync(`${folder}-new`, folder);
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

/** Builds the JavaScript of a commit with the dependencies of this version. */
function build(commit: string, tree: string): void {
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 256 * 1024 * 1024 });
  execFileSync('tar', ['-x', '-C', tree], { input: archive });
  mkdirSync(join(tree, 'node_modules/@latchkey'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name.startsWith('.') || name === '@latchkey') continue;
    symlinkSync(join(root, 'node_modules', name), join(tree, 'node_modules', name), 'junction');
  }
  for (const name of readdirSync(join(tree, 'packages'))) {
    symlinkSync(join(tree, 'packages', name), join(tree, 'node_modules/@latchkey', name), 'junction');
  }
  execFileSync(process.execPath, ['scripts/bundle.ts'], { cwd: tree, stdio: ['ignore', 'ignore', 'inherit'] });
}

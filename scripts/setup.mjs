import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem, run } from './run.mjs';

// The first steps of each command. They run before anything is installed: plain JavaScript without dependencies.

/** The repository's folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Folders whose packages are the root's workspaces. */
const workspaces = ['packages', 'examples'];
/** Folders whose packages have a lockfile of their own. */
const apart = ['test/peers', 'test/compat'];
/** The oldest version of Node.js that runs TypeScript files as they are. */
const least = { major: 22, minor: 18 };

/**
 * Installs the npm packages that are missing.
 *
 * @param {readonly string[]} [folders] Folders with a lockfile. Default: the repository's own.
 * @returns {{ node: string }} The path of the Node.js that builds, tests and runs this project.
 */
export function setup(folders = [root]) {
  if (Number.parseInt(process.versions.node, 10) < 20) {
    throw new Problem(`Node.js ${process.versions.node} is too old: install Node.js 20 or newer`);
  }
  for (const folder of folders) install(folder);
  return { node: projectNode() };
}

/** Folders with a lockfile that only tests of built applications and of the built site need. */
const ofApplications = [
  'examples/solid-start',
  'site',
  'test/compat/nuxt-4',
  'test/peers/auth-astro',
  'test/peers/auth-qwik',
];
/** Folders with a lockfile that only tests of earlier versions of frameworks with a build need. */
const ofMajors = ['astro-6', 'astro-6.4', 'kit-2', 'next-15', 'nuxt-3', 'react-router-7', 'tanstack-start-1.169'].map(
  (name) => `test/compat/${name}`,
);

/**
 * Returns the folders with a lockfile: the root first, then those of examples and `test/`, then the site.
 *
 * @param {'all' | 'applications' | 'without applications'} [needed] The tests that will run. Default: all.
 */
export function lockedFolders(needed = 'all') {
  const folders = [root, ...lockedExamples(), ...apart.flatMap(packagesIn), join(root, 'site')];
  const without = { all: [], applications: ofMajors, 'without applications': [...ofApplications, ...ofMajors] }[needed];
  return folders.filter((folder) => !without.some((name) => folder === join(root, name)));
}

/** Returns the examples with a lockfile of their own. They are not among the root's workspaces. */
const lockedExamples = () => packagesIn('examples').filter((folder) => existsSync(join(folder, 'package-lock.json')));

/**
 * Runs `npm ci` in a folder unless its `node_modules` was made from the same manifests and lockfile.
 *
 * @param {string} folder
 */
export function install(folder) {
  if (isInstalled(folder)) return;
  console.log(`latchkey: installing dependencies (npm ci in ${relative(root, folder) || 'the repository'})`);
  npm(['ci', '--include=dev', '--include=optional', '--loglevel=error'], folder);
  writeFileSync(stampOf(folder), fingerprint(folder));
}

/** @param {string} folder */
export function isInstalled(folder) {
  const stamp = stampOf(folder);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(folder);
}

/**
 * Runs npm and returns its output. Its errors go to the stderr of this process.
 *
 * @param {string[]} args
 * @param {string} cwd
 * @returns {string}
 */
export function npm(args, cwd) {
  // npm passes its own path to its scripts. Without it, use the npm in `PATH`.
  const cli = process.env['npm_execpath'];
  const [command, first] = cli?.endsWith('npm-cli.js') ? [process.execPath, [cli]] : ['npm', []];
  const { status, error, stdout } = spawnSync(command, [...first, ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (error && 'code' in error && error.code === 'ENOENT')
    throw new Problem('npm was not found: install npm 11 (see README.md)');
  if (error) throw error;
  if (status !== 0) throw new Problem(`npm ${args[0]} failed: see above, then run it yourself in ${cwd}`);
  return stdout;
}

/**
 * Compiles the packages that have changed.
 *
 * @param {string} node The path of the project's Node.js.
 */
export async function build(node) {
  const steps = [
    ['node_modules/typescript-7/bin/tsc', '-b'],
    ['scripts/bundle.ts'],
    ['packages/core/scripts/style.ts'],
    ['scripts/reexports.ts'],
  ];
  for (const step of steps) {
    if ((await run(node, step, { cwd: root })) !== 0) throw new Problem('the build failed: see above');
  }
}

/** Returns the path of the Node.js that `npm ci` has installed, else of the one that runs this script. */
function projectNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const folder = join(root, 'node_modules', `node-${platform}-${process.arch}`, 'bin');
  const installed = [join(folder, 'node'), join(folder, 'node.exe')].find((path) => existsSync(path) && runs(path));
  if (installed) return installed;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > least.major || (major === least.major && minor >= least.minor)) return process.execPath;
  throw new Problem(
    `there is no Node.js package for ${process.platform}-${process.arch}: install Node.js ${least.major}.${least.minor} ` +
      `or newer yourself (this is ${process.versions.node}), then run the command again`,
  );
}

/** @param {string} path */
function runs(path) {
  return spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0;
}

/** @param {string} folder */
function stampOf(folder) {
  return join(folder, 'node_modules', '.latchkey-setup');
}

/** @param {string} folder */
function fingerprint(folder) {
  const others = lockedExamples();
  const members = workspaces.flatMap(packagesIn).filter((each) => !others.includes(each));
  const folders = folder === root ? [root, ...members] : [folder];
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`);
  for (const file of [join(folder, 'package-lock.json'), ...folders.map((each) => join(each, 'package.json'))]) {
    hash.update(`\0${relative(folder, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** @param {string} parent */
function packagesIn(parent) {
  const path = join(root, parent);
  if (!existsSync(path)) return [];
  const folders = readdirSync(path).sort();
  return folders.map((name) => join(path, name)).filter((folder) => existsSync(join(folder, 'package.json')));
}

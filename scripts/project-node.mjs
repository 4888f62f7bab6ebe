import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from './problem.mjs';
import { root } from './root.mjs';

/** The least version that runs our TypeScript files as they are. */
const least = { major: 22, minor: 18 };

/**
 * The path of the Node.js that builds, tests and runs this project: the one that `npm ci` brought, else the one that
 * runs this script if it is new enough.
 *
 * @returns {string}
 */
export function projectNode() {
  const brought = candidates().find((path) => existsSync(path) && runs(path));
  if (brought) return brought;
  if (isNewEnough(process.versions.node)) return process.execPath;
  throw new Problem(
    `no Node.js package for ${process.platform}-${process.arch}: install Node.js ${least.major}.${least.minor} or newer yourself ` +
      `(this is ${process.versions.node}), then run the command again`,
  );
}

function candidates() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const folder = join(root, 'node_modules', `node-${platform}-${process.arch}`, 'bin');
  return [join(folder, 'node'), join(folder, 'node.exe')];
}

/** @param {string} path */
function runs(path) {
  return spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0;
}

/** @param {string} version */
function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > least.major || (major === least.major && minor >= least.minor);
}

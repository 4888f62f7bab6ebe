import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { npm } from './npm.mjs';
import { root } from './root.mjs';

/** Folders whose packages are the root's workspaces. */
const workspaces = ['packages', 'examples'];
/** Folders whose packages have a lockfile of their own. */
const apart = ['test/peers', 'test/compat'];

/** Folders with a lockfile: the root first, then those of `test/`. */
export const lockedFolders = () => [root, ...apart.flatMap(packagesIn)];

/**
 * Runs `npm ci` in a folder unless its `node_modules` was made from the same manifests and lockfile.
 *
 * @param {string} folder
 */
export function install(folder) {
  const stamp = join(folder, 'node_modules', '.latchkey-setup');
  const wanted = fingerprint(folder);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log(`latchkey: installing dependencies (npm ci in ${relative(root, folder) || 'the repository'})`);
  npm(['ci', '--include=dev', '--include=optional', '--loglevel=error'], folder);
  writeFileSync(stamp, wanted);
}

/** @param {string} folder */
function fingerprint(folder) {
  const folders = folder === root ? [root, ...workspaces.flatMap(packagesIn)] : [folder];
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

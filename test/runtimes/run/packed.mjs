import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Problem } from '../../../scripts/run.mjs';
import { npm, root } from '../../../scripts/setup.mjs';

/**
 * Creates an application with the packages as they would be published, without a registry. Declared dependencies are
 * copied from the `node_modules` of the repository. Undeclared ones are missing.
 *
 * @param {string} folder
 * @param {string[]} packages Folders of `packages/`.
 * @param {string[]} peers Peer dependencies that the application installs.
 */
export function installPacked(folder, packages, peers) {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  for (const name of packages) {
    const source = join(root, 'packages', name);
    const target = join(folder, 'node_modules/@latchkey', name);
    unpack(source, target);
    for (const dependency of dependenciesOf(target)) copy(dependency, source, folder);
  }
  for (const name of peers) copy(name, root, folder);
}

/**
 * @param {string} source
 * @param {string} target
 */
function unpack(source, target) {
  mkdirSync(target, { recursive: true });
  const [{ filename }] = JSON.parse(npm(['pack', '--json', '--silent', '--pack-destination', target], source));
  const { status, stderr } = spawnSync('tar', ['-xzf', filename, '--strip-components', '1'], {
    cwd: target,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Problem(`${filename} could not be unpacked: ${stderr}`);
}

/**
 * Copies an installed package and what it needs to the same place below `folder`.
 *
 * @param {string} name
 * @param {string} from The folder of who needs it.
 * @param {string} folder
 */
function copy(name, from, folder) {
  if (name.startsWith('@latchkey/')) return;
  const source = find(name, from);
  const target = join(folder, relative(root, source).replace(/^packages\//, 'node_modules/@latchkey/'));
  if (existsSync(target)) return;
  cpSync(source, target, { recursive: true, filter: (path) => relative(source, path) !== 'node_modules' });
  for (const dependency of dependenciesOf(source)) copy(dependency, source, folder);
}

/**
 * @param {string} name
 * @param {string} from
 * @returns {string}
 */
function find(name, from) {
  const found = join(from, 'node_modules', name);
  if (existsSync(found)) return found;
  if (from === root) throw new Problem(`${name} is not in node_modules`);
  return find(name, dirname(from));
}

/** @param {string} folder */
function dependenciesOf(folder) {
  return Object.keys(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies ?? {});
}

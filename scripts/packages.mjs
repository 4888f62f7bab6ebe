import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { npm, root } from './setup.mjs';

/** The packages that an application needs, by framework. */
const needed = {
  Express: ['core', 'express', 'adapter-sql'],
  'Next.js': ['core', 'next', 'adapter-sql'],
  SvelteKit: ['core', 'sveltekit', 'adapter-sql'],
};

/**
 * Packs each package as it would be published.
 *
 * @param {string} folder The folder for the files.
 * @returns {Map<string, string>} The path of each file, by the folder's name in `packages/`.
 */
export function packAll(folder) {
  const names = readdirSync(join(root, 'packages')).sort();
  const specs = names.map((name) => `./packages/${name}`);
  const packed = JSON.parse(npm(['pack', '--json', '--silent', '--pack-destination', folder, ...specs], root));
  return new Map(names.map((name, index) => [name, join(folder, packed[index].filename)]));
}

/**
 * Returns the commands that install packed packages, by framework.
 *
 * @param {Map<string, string>} files As {@link packAll} returns them.
 * @returns {[framework: string, command: string][]}
 */
export function installCommands(files) {
  return Object.entries(needed).map(([framework, names]) => [
    framework,
    ['npm install', ...names.map((name) => JSON.stringify(files.get(name)))].join(' '),
  ]);
}

import { join, relative } from 'node:path';
import { root } from './setup.mjs';

/**
 * Returns the lines that say what will be installed: the size, the place and the reason of each item. Empty if nothing
 * will be.
 *
 * @param {readonly string[]} folders Folders in which npm will install packages.
 * @param {readonly import('./programs.mjs').Program[]} programs Programs that apt-get will install.
 * @returns {string[]}
 */
export function announcement(folders, programs) {
  const rows = folders.map((folder) => {
    const name = relative(root, folder);
    return [sizeOf(name), join(name, 'node_modules'), reasonFor(name)];
  });
  for (const { megabytes, debian, title, reason } of programs) {
    rows.push([`${megabytes} MB`, `apt-get install ${debian.join(' ')}`, `${title} ${reason}`]);
  }
  if (rows.length === 0) return [];
  return [
    'latchkey: installing what the tests need:',
    ...rows.map(([size = '', place = '', reason]) => `  ${size.padStart(9)}  ${place.padEnd(56)}  ${reason}`),
  ];
}

/** @param {string} folder */
function sizeOf(folder) {
  const large = new Map([
    ['', '1100 MB'],
    ['test/peers/prisma', '390 MB'],
    ['test/compat/astro-6', '130 MB'],
    ['test/compat/next-15', '330 MB'],
    ['test/compat/nuxt-4', '210 MB'],
    ['test/compat/tanstack-start-1.169', '110 MB'],
    ['site', '280 MB'],
  ]);
  return large.get(folder) ?? '< 60 MB';
}

/** @param {string} folder */
function reasonFor(folder) {
  if (folder.startsWith('test/peers')) return 'a library that Latchkey is tested with';
  if (folder.startsWith('examples')) return 'an example, with its framework';
  if (folder === 'site') return 'builds the documentation site, whose pages are tests';
  if (folder === 'test/compat/nuxt-4') return 'Nuxt, for its tests and its example';
  if (folder.startsWith('test/compat')) return 'an earlier major of a framework';
  return 'the dependencies of the project';
}

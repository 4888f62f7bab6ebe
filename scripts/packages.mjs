import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from './run.mjs';
import { npm, root } from './setup.mjs';

/** The packages that an application needs, by framework. */
const needed = {
  Express: ['core', 'express', 'adapter-sql'],
  'Next.js': ['core', 'next', 'adapter-sql'],
  SvelteKit: ['core', 'sveltekit', 'adapter-sql'],
  Astro: ['core', 'astro', 'adapter-sql'],
  Fastify: ['core', 'fastify', 'adapter-sql'],
  h3: ['core', 'h3', 'adapter-sql'],
  Nuxt: ['core', 'h3', 'nuxt', 'adapter-sql'],
  'React Router': ['core', 'react-router', 'adapter-sql'],
  Hono: ['core', 'hono', 'adapter-sql'],
  'TanStack Start': ['core', 'tanstack-start', 'adapter-sql'],
  Others: ['core', 'adapter-sql'],
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

/**
 * Returns the command that installs the command line and the tools for tests, in addition.
 *
 * @param {Map<string, string>} files As {@link packAll} returns them.
 */
export function toolsCommand(files) {
  return ['npm install --save-dev', ...['cli', 'testing'].map((name) => JSON.stringify(files.get(name)))].join(' ');
}

/**
 * Installs all packed packages into an empty project, and loads each module that they export. Packages that are not in
 * npm's cache come from the registry.
 *
 * @param {Map<string, string>} files As {@link packAll} returns them.
 * @param {string} node The path of Node.js.
 * @returns {number} The number of modules.
 * @throws {Problem} if a module cannot be loaded.
 */
export function loadInEmptyProject(files, node) {
  const project = emptyProject();
  try {
    writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
    npm(
      ['install', '--prefer-offline', '--legacy-peer-deps', '--no-audit', '--no-fund', '--silent', ...files.values()],
      project,
    );
    const modules = [...files.keys()].flatMap((name) => modulesOf(project, name));
    writeFileSync(join(project, 'load.mjs'), loader);
    const { status, stderr } = spawnSync(node, ['--conditions=svelte', 'load.mjs', ...modules], {
      cwd: project,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Problem(`packed modules cannot be loaded:\n${stderr}`);
    return modules.length;
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** Returns an empty folder. It is below `node_modules`, so that Node.js finds the frameworks of the repository. */
export function emptyProject() {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(join(cache, 'latchkey-packed-'));
}

/**
 * Loads the modules that it is called with. Only the bundler of SvelteKit provides modules such as `$app/server`, and
 * some modules exist only to say what replaces them.
 */
const loader = `
  let failed = 0;
  for (const name of process.argv.slice(2)) {
    try {
      await import(name);
    } catch (error) {
      if (/'[$]app'|"[.]svelte"|does not exist any more/.test(error.message)) continue;
      failed += 1;
      console.error(name + ': ' + error.message);
    }
  }
  process.exit(failed === 0 ? 0 : 1);
`;

/**
 * Returns the names of the modules that an installed package exports.
 *
 * @param {string} project
 * @param {string} name
 */
function modulesOf(project, name) {
  const folder = join(project, 'node_modules/@latchkey', name);
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.entries(exports ?? {}).flatMap(([path, target]) => {
    const file = target.default ?? target.svelte;
    if (file === undefined) return [];
    if (!path.includes('*')) return [join(`@latchkey/${name}`, path)];
    const files = readdirSync(join(folder, file, '..')).filter((each) => each.endsWith('.js') && each !== 'index.js');
    return files.map((each) => join(`@latchkey/${name}`, path.replace('*', each.slice(0, -3))));
  });
}

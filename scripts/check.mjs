import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from './build.mjs';
import { lockedFolders } from './install.mjs';
import { npm } from './npm.mjs';
import { exitWith, Problem } from './problem.mjs';
import { root } from './root.mjs';
import { run } from './run.mjs';
import { setup } from './setup.mjs';

/** Folders with a lockfile that are installed by the commands that need them. */
const later = ['test/mutation', 'test/runtimes'].map((folder) => join(root, folder));

// `npm run check`: everything but the tests.
await exitWith(async () => {
  const { node } = await setup({ others: true });
  /** @type {(...args: string[]) => () => Promise<number>} */
  const program =
    (...args) =>
    () =>
      run(node, args, { cwd: root });

  /** @type {Record<string, () => number | Promise<number>>} */
  const checks = {
    icons: program('packages/core/scripts/icons.mjs', '--check'),
    providers: program('packages/core/scripts/providers.ts', '--check'),
    lint: program('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'),
    build: async () => {
      // From nothing, or a file whose source is gone would be packed.
      for (const name of readdirSync(join(root, 'packages'))) {
        rmSync(join(root, 'packages', name, 'dist'), { recursive: true, force: true });
      }
      await build(node);
      return 0;
    },
    types: program('node_modules/typescript-7/bin/tsc', '-p', 'tsconfig.test.json'),
    // Apart: the frameworks' types change those of everybody else.
    'types (Next, SvelteKit)': program('node_modules/typescript-7/bin/tsc', '-p', 'tsconfig.test.frameworks.json'),
    'types (TypeScript 6)': program('node_modules/typescript/bin/tsc', '-p', 'tsconfig.test.json'),
    'published types': program('scripts/published-types.mjs'),
    'unused code': program('node_modules/knip/bin/knip.js'),
    lockfiles: () => {
      for (const folder of [...lockedFolders(), ...later]) checkLockfile(folder);
      return 0;
    },
    packages: program('scripts/packed.mjs'),
  };

  const failed = [];
  for (const [name, check] of Object.entries(checks)) {
    console.log(`\nlatchkey: checking ${name}`);
    if ((await attempt(check)) !== 0) failed.push(name);
  }
  const good = Object.keys(checks).length - failed.length;
  console.log(
    `\nlatchkey: ${good} checks good, ${failed.length} failed${failed.length ? `: ${failed.join(', ')}` : ''}`,
  );
  return failed.length === 0 ? 0 : 1;
});

/** @param {() => number | Promise<number>} check */
async function attempt(check) {
  try {
    return await check();
  } catch (error) {
    console.error(error instanceof Problem ? error.message : error);
    return 1;
  }
}

/**
 * A lockfile must hold the packages of every platform, and no address of the registry that it was written with.
 *
 * @param {string} folder
 */
function checkLockfile(folder) {
  npm(['ci', '--dry-run'], folder);
  if (readFileSync(join(folder, 'package-lock.json'), 'utf8').includes('"resolved": "http')) {
    throw new Problem(`${relative(root, folder)}/package-lock.json has download addresses: see CONTRIBUTING.md`);
  }
}

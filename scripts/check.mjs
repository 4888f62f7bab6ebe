import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { checkChangesets } from './changesets.mjs';
import { exitWith, Problem, run } from './run.mjs';
import { build, lockedFolders, npm, root, setup } from './setup.mjs';

/** Folders with a lockfile that are installed by the commands that need them. */
const later = ['test/mutation', 'test/runtimes'].map((folder) => join(root, folder));

// `npm run check`: all checks except the tests. If one fails, the others still run.
await exitWith(async () => {
  const { node } = setup(lockedFolders());
  /** @type {(...args: string[]) => () => Promise<number>} */
  const program =
    (...args) =>
    () =>
      run(node, args, { cwd: root });

  /** @type {Record<string, () => number | Promise<number>>} */
  const checks = {
    providers: program('packages/core/scripts/providers.ts', '--check'),
    options: program('packages/core/scripts/options.ts', '--check'),
    lint: program('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'),
    build: async () => {
      // Delete the output first. Otherwise a file whose source was deleted would be packed.
      for (const name of readdirSync(join(root, 'packages'))) {
        rmSync(join(root, 'packages', name, 'dist'), { recursive: true, force: true });
      }
      await build(node);
      return 0;
    },
    types: program('node_modules/typescript-7/bin/tsc', '-p', 'tsconfig.test.json'),
    // Separate, because the types of the frameworks change global types.
    'types (Next, SvelteKit)': program('node_modules/typescript-7/bin/tsc', '-p', 'tsconfig.test.frameworks.json'),
    'types (TypeScript 6)': program('node_modules/typescript/bin/tsc', '-p', 'tsconfig.test.json'),
    'published types': program('scripts/published-types.mjs'),
    prose: program('scripts/prose.ts'),
    api: program('scripts/api.ts', '--check'),
    metadata: program('scripts/metadata.ts', '--check'),
    changesets: () => {
      checkChangesets();
      return 0;
    },
    'unused code': program('node_modules/knip/bin/knip.js'),
    lockfiles: () => {
      for (const folder of [...lockedFolders(), ...later]) checkLockfile(folder);
      return 0;
    },
    packages: () => checkPacked(node),
  };

  const failed = [];
  for (const [name, check] of Object.entries(checks)) {
    console.log(`\nlatchkey: checking ${name}`);
    if ((await attempt(check)) !== 0) failed.push(name);
  }
  const good = Object.keys(checks).length - failed.length;
  console.log(
    `\nlatchkey: ${good} checks passed, ${failed.length} failed${failed.length ? `: ${failed.join(', ')}` : ''}`,
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
 * A lockfile must hold the packages of every platform, and no download addresses.
 *
 * @param {string} folder
 */
function checkLockfile(folder) {
  npm(['ci', '--dry-run'], folder);
  if (readFileSync(join(folder, 'package-lock.json'), 'utf8').includes('"resolved": "http')) {
    throw new Problem(`${relative(root, folder)}/package-lock.json has download addresses: see CONTRIBUTING.md`);
  }
}

/**
 * Packs each package as it would be published, and runs publint and attw on the result.
 *
 * @param {string} node
 */
function checkPacked(node) {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-packed-'));
  try {
    const good = readdirSync(join(root, 'packages')).map((name) => isGood(node, join(root, 'packages', name), folder));
    return good.includes(false) ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * @param {string} node
 * @param {string} source
 * @param {string} folder
 */
function isGood(node, source, folder) {
  const [{ filename }] = JSON.parse(npm(['pack', '--json', '--silent', '--pack-destination', folder], source));
  const tarball = join(folder, filename);
  const hidden = behindWildcards(source);
  const sheets = styleSheets(source);
  const attw = [tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji', '--no-color'];
  if (sheets.length > 0) attw.push('--exclude-entrypoints', ...sheets);
  return [
    succeeds(node, 'publint/src/cli.js', ['run', tarball, '--strict']),
    succeeds(
      node,
      '@arethetypeswrong/cli/dist/index.js',
      hidden.length ? [...attw, '--include-entrypoints', ...hidden] : attw,
    ),
  ].every(Boolean);
}

/**
 * Returns the style sheets that a package exports. They have no types.
 *
 * @param {string} source
 */
function styleSheets(source) {
  const { exports } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  return Object.keys(exports).flatMap((key) => (key.endsWith('.css') ? [key.slice(2)] : []));
}

/**
 * Returns the entry points that a package exports by `./folder/*`, which attw does not find.
 *
 * @param {string} source
 */
function behindWildcards(source) {
  const { exports } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  const folders = Object.keys(exports).flatMap((key) => (key.endsWith('/*') ? [key.slice(2, -2)] : []));
  return folders.flatMap((folder) => {
    const files = readdirSync(join(source, 'dist', folder)).filter(
      (file) => file.endsWith('.js') && file !== 'index.js',
    );
    return files.map((file) => `${folder}/${file.slice(0, -3)}`);
  });
}

/**
 * @param {string} node
 * @param {string} program
 * @param {string[]} args
 */
function succeeds(node, program, args) {
  const { status, stdout, stderr } = spawnSync(node, [join(root, 'node_modules', program), ...args], {
    encoding: 'utf8',
  });
  if (status !== 0) console.error(stdout + stderr);
  return status === 0;
}

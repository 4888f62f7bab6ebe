import { cpSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** Written for `@auth/sveltekit`, to its public documentation. */
export const documented: string = join(import.meta.dirname, 'apps/documented');

/**
 * Makes a copy in which the names of the imports are changed, and nothing else.
 *
 * @returns Its folder. Files have the times of the original's, so that a build of them stays good.
 */
export function renamed(): string {
  const copy = join(import.meta.dirname, '.svelte-kit/renamed');
  cpSync(documented, copy, {
    recursive: true,
    filter: (path) => !path.includes('.svelte-kit'),
    preserveTimestamps: true,
  });
  const sources = readdirSync(join(copy, 'src'), { recursive: true, encoding: 'utf8' }).map((name) =>
    join('src', name),
  );
  for (const file of ['package.json', ...sources].map((name) => join(copy, name))) {
    if (/\.(json|ts|svelte)$/.test(file)) replaceText(file, '@auth/sveltekit', '@latchkey/sveltekit');
  }
  install(copy);
  return copy;
}

/**
 * Makes a copy of the test application of the bindings, with Kit 2's file of settings.
 *
 * @returns Its folder.
 */
export function ruled(): string {
  // Kit's own check of forms is off: the suite tests that of the binding.
  return withKit2('packages/sveltekit/test/apps/contract', 'contract', { csrf: { checkOrigin: false } });
}

/**
 * Makes a copy of the test application with the remote functions, with Kit 2's file of settings. It contains the tests
 * of their types, with the module from which Kit 2 exports them.
 *
 * @returns Its folder.
 */
export function remote(): string {
  const copy = withKit2('packages/sveltekit/test/app', 'remote', {
    paths: { base: '/shop' },
    experimental: { remoteFunctions: true },
  });
  const put = (from: string, to: string): void => cpSync(join(root, from), to, { preserveTimestamps: true });
  const types = join(copy, 'src/types.ts');
  put('packages/core/test/types/assert.ts', join(copy, 'src/assert.ts'));
  put('packages/sveltekit/test/types/guard-remote.test-d.ts', types);
  replaceText(types, '../../../core/test/types/assert.ts', './assert.ts');
  replaceText(types, '$app/server', '@sveltejs/kit');
  return copy;
}

function withKit2(original: string, name: string, kit: object): string {
  const copy = join(import.meta.dirname, '.svelte-kit', name);
  cpSync(join(root, original), copy, {
    recursive: true,
    filter: (path) => !path.includes('.svelte-kit'),
    preserveTimestamps: true,
  });
  for (const file of ['vite.config.ts', 'tsconfig.json']) cpSync(join(documented, file), join(copy, file));
  writeFileSync(join(copy, 'svelte.config.js'), `export default ${JSON.stringify({ kit })};\n`);
  install(copy);
  return copy;
}

/** The file keeps its times. */
function replaceText(file: string, from: string, to: string): void {
  const { atime, mtime } = statSync(file);
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(from, to));
  utimesSync(file, atime, mtime);
}

/** As `npm install` would: linked packages would find the repository's Kit 3, and it Kit 2's dependencies. */
function install(app: string): void {
  const put = (from: string, to: string): void =>
    cpSync(join(root, from), join(app, 'node_modules', to), {
      recursive: true,
      dereference: true,
      preserveTimestamps: true,
      filter: (path) => !/\.map$|\.tsbuildinfo$/.test(path),
    });
  for (const name of ['core', 'sveltekit', 'testing']) {
    for (const part of ['dist', 'package.json']) put(`packages/${name}/${part}`, `@latchkey/${name}/${part}`);
  }
  put('packages/sveltekit/components', '@latchkey/sveltekit/components');
  for (const name of ['cookie', 'oauth4webapi']) put(`node_modules/${name}`, `@latchkey/core/node_modules/${name}`);
}

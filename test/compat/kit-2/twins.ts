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
    if (!/\.(json|ts|svelte)$/.test(file)) continue;
    const { atime, mtime } = statSync(file);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('@auth/sveltekit', '@latchkey/sveltekit'));
    utimesSync(file, atime, mtime);
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
  const copy = join(import.meta.dirname, '.svelte-kit/contract');
  cpSync(join(root, 'packages/sveltekit/test/apps/contract'), copy, {
    recursive: true,
    filter: (path) => !path.includes('.svelte-kit'),
    preserveTimestamps: true,
  });
  for (const file of ['vite.config.ts', 'tsconfig.json']) cpSync(join(documented, file), join(copy, file));
  // Kit's own check of forms is off: the suite tests that of the binding.
  writeFileSync(join(copy, 'svelte.config.js'), 'export default { kit: { csrf: { checkOrigin: false } } };\n');
  install(copy);
  return copy;
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

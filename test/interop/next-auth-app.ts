import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWhenNeeded } from '../../examples/shared/fresh.ts';
import { build, type Served, serve, typeFaults } from '../../packages/next/test/built/next-application.ts';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const next = at('node_modules/next');
const source = at('test/peers/next-auth/app');
const folders = { original: source, ours: at('test/peers/next-auth/build') };

/** Whose library the application uses. */
export type Library = keyof typeof folders;

/** What the application is made of, beside its sources. */
const made: Readonly<Record<Library, readonly string[]>> = {
  original: [at('test/peers/next-auth/package-lock.json')],
  ours: [at('packages/core/dist'), at('packages/next/dist')],
};

/** What a build leaves beside the sources. */
const leftovers = ['.next', 'next-env.d.ts', '*.tsbuildinfo'];

/** Builds the application with that library, unless it has been built of the same. */
export function buildApp(library: Library): Promise<void> {
  const folder = folders[library];
  return buildWhenNeeded(
    {
      sources: [source, `${next}/package.json`, ...made[library]],
      without: [...leftovers, '**/*.d.ts.map'],
      output: join(folder, '.next'),
      others: [],
    },
    async () => {
      if (library === 'ours') copyWithOurNames();
      await build({ folder, next });
    },
  );
}

/** What is wrong with its types on that library, once it was built; '' when there is nothing. */
export function typeFaultsOf(library: Library): Promise<string> {
  return typeFaults(folders[library]);
}

/** Starts what was built. */
export function startApp(library: Library, env: Record<string, string>): Promise<Served> {
  return serve({ folder: folders[library], next }, env);
}

/** The names of the imports, and nothing else. */
function copyWithOurNames(): void {
  const { ours } = folders;
  rmSync(ours, { recursive: true, force: true });
  for (const name of globSync('**/*.{ts,tsx,json}', { cwd: source, exclude: leftovers })) {
    const file = join(ours, name);
    cpSync(join(source, name), file);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(['"])next-auth(?=[/'"])/g, '$1@latchkey/next'));
  }
}

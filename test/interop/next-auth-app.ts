import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, latchkey, type Served, serve, typeFaults } from '../../packages/next/test/built/next-application.ts';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const next = at('node_modules/next');
const source = at('test/peers/next-auth/app');
const folders = { original: source, ours: at('test/peers/next-auth/build') };

/** The library that the application uses. */
export type Library = keyof typeof folders;

/** The parts of the application beside its sources. */
const made: Readonly<Record<Library, readonly string[]>> = {
  original: [at('test/peers/next-auth/package-lock.json')],
  ours: latchkey,
};

/** The files that a build writes beside the sources. */
const leftovers = ['.next', 'next-env.d.ts', '*.tsbuildinfo'];

/** Builds the application with that library, unless it has been built of the same. */
export function buildApp(library: Library): Promise<void> {
  return build(
    { folder: folders[library], next },
    { from: [source, ...made[library]], ...(library === 'ours' && { lay: copyWithOurNames }) },
  );
}

/** Returns TypeScript's errors in the built application with a library; '' if it compiles. */
export function typeFaultsOf(library: Library): Promise<string> {
  return typeFaults(folders[library]);
}

/** Starts the built application. */
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

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import type { Figure } from './figure.ts';
import { loadedForSession } from './modules.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Sizes in bytes, minified and gzipped (level 9) file by file. */
interface BundleSizes {
  /** `Auth` and `jwt` without providers, including all code that is loaded on demand. */
  readonly whole: number;
  /** The part of it that a request for a session loads. */
  readonly session: number;
  /** `@latchkey/core/jwt` alone, including the portable engine, which is loaded on demand. */
  readonly jwt: number;
  /** Client code of `@latchkey/next/react`, without React. */
  readonly react: number;
}

/** The size to be reached, and the size above which a test fails. */
interface Budget {
  readonly goal: number;
  readonly most: number;
}

/** Reads `bench/budgets.json`. */
export function budgets(): Record<keyof BundleSizes, Budget> {
  return JSON.parse(readFileSync(new URL('../budgets.json', import.meta.url), 'utf8')) as Record<
    keyof BundleSizes,
    Budget
  >;
}

/** Bundles the built packages as the bundler of an application does. Deterministic. */
export async function bundleSizes(): Promise<BundleSizes> {
  const application = `
    import { Auth } from '@latchkey/core';
    import * as jwt from '@latchkey/core/jwt';
    export { Auth, jwt };`;
  const split = await bundled(application, true);
  return {
    whole: await sizeOf(application),
    session: sessionPart(split, new Set(await loadedForSession())),
    jwt: await sizeOf(`export * from '@latchkey/core/jwt';`),
    react: await sizeOf(`export * from '@latchkey/next/react';`),
  };
}

async function sizeOf(application: string): Promise<number> {
  return sum([...(await bundled(application, false)).sizes.values()]);
}

interface Bundled {
  readonly sizes: ReadonlyMap<string, number>;
  readonly outputs: Metafile['outputs'];
}

async function bundled(contents: string, splitting: boolean): Promise<Bundled> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root, sourcefile: 'application.ts' },
    absWorkingDir: root,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['import'],
    external: ['react', 'react/*', 'next', 'next/*', '@simplewebauthn/server', 'nodemailer', 'node:*'],
    splitting,
    outdir: 'out',
    logLevel: 'silent',
    // An installed package has no `tsconfig.json`; that of the repository would add a directive to each module.
    tsconfigRaw: {},
  });
  const sizes = new Map(
    outputFiles.map(({ path, contents }) => [path.slice(root.length), gzipSync(contents, { level: 9 }).byteLength]),
  );
  return { sizes, outputs: metafile.outputs };
}

/**
 * Returns the size of the code that a session needs: the entry, its static imports, and the files that reading a
 * session imports.
 *
 * @param loaded The files that a process has loaded to read a session.
 */
function sessionPart({ sizes, outputs }: Bundled, loaded: ReadonlySet<string>): number {
  const needed = new Set<string>();
  const add = (path: string): void => {
    if (needed.has(path)) return;
    needed.add(path);
    for (const { path: next, kind, external } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && !external) add(next);
    }
  };
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    const isLoaded = entryPoint !== undefined && loaded.has(pathToFileURL(join(root, entryPoint)).href);
    if (entryPoint === 'application.ts' || isLoaded) add(path);
  }
  return sum([...needed].map((path) => sizes.get(path) ?? 0));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Returns the sizes as figures. */
export async function bundleFigures(): Promise<Figure[]> {
  const { whole, session, jwt, react } = await bundleSizes();
  const most = budgets();
  const kilobytes = (bytes: number): number => bytes / 1000;
  return [
    {
      title: 'bundle: Auth and jwt, without providers',
      value: kilobytes(whole),
      unit: 'kB',
      most: kilobytes(most.whole.goal),
      peer: 47.8,
    },
    { title: '… needed for a session', value: kilobytes(session), unit: 'kB', most: kilobytes(most.session.goal) },
    { title: 'bundle: jwt alone', value: kilobytes(jwt), unit: 'kB', most: kilobytes(most.jwt.goal), peer: 15 },
    { title: 'bundle: next/react', value: kilobytes(react), unit: 'kB', most: kilobytes(most.react.goal) },
  ];
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import type { Figure } from './figure.ts';
import { loadedForSession } from './modules.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Bytes of gzipped code. */
export interface BundleSizes {
  /** `Auth`, one provider and `jwt`, all that can ever be loaded of it. */
  readonly whole: number;
  /** Of that, what a request for a session needs. */
  readonly session: number;
  /** Client code of `@latchkey/next/react`, without React. */
  readonly react: number;
}

/** What a size is to be one day, and what it may be today: more fails the tests. */
export interface Budget {
  readonly goal: number;
  readonly most: number;
}

/** What stands in `bench/budgets.json`. */
export function budgets(): Record<keyof BundleSizes, Budget> {
  return JSON.parse(readFileSync(new URL('../budgets.json', import.meta.url), 'utf8')) as Record<
    keyof BundleSizes,
    Budget
  >;
}

/** Bundles the built packages as an application's bundler would. Deterministic. */
export async function bundleSizes(): Promise<BundleSizes> {
  const application = `
    import { Auth } from '@latchkey/core';
    import GitHub from '@latchkey/core/providers/github';
    import * as jwt from '@latchkey/core/jwt';
    export { Auth, GitHub, jwt };`;
  const whole = await bundled(application, false);
  const split = await bundled(application, true);
  return {
    whole: sum([...whole.sizes.values()]),
    session: sessionPart(split, new Set(await loadedForSession())),
    react: sum([...(await bundled(`export * from '@latchkey/next/react';`, false)).sizes.values()]),
  };
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
    // Installed packages have no settings of a compiler beside them; ours would add a directive to each module.
    tsconfigRaw: {},
  });
  const sizes = new Map(
    outputFiles.map(({ path, contents }) => [path.slice(root.length), gzipSync(contents, { level: 9 }).byteLength]),
  );
  return { sizes, outputs: metafile.outputs };
}

/**
 * The entry, what it imports at once, and the same of what is imported later while a session is read.
 *
 * @param loaded The files that a process has loaded which did.
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

/** The sizes as figures. */
export async function bundleFigures(): Promise<Figure[]> {
  const { whole, session, react } = await bundleSizes();
  const most = budgets();
  const kilobytes = (bytes: number): number => bytes / 1000;
  return [
    {
      title: 'bundle: Auth, a provider, jwt',
      value: kilobytes(whole),
      unit: 'kB',
      most: kilobytes(most.whole.goal),
      peer: 47.8,
    },
    { title: '… needed for a session', value: kilobytes(session), unit: 'kB', most: kilobytes(most.session.goal) },
    { title: 'bundle: next/react', value: kilobytes(react), unit: 'kB', most: kilobytes(most.react.goal) },
  ];
}

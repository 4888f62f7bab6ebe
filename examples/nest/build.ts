import { join } from 'node:path';
import { build } from 'esbuild';

/** Compiles a program of this folder, because Node.js does not run decorators. */
export async function compile(program: string, output: string): Promise<void> {
  await build({
    entryPoints: [program],
    outfile: output,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node22',
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    logLevel: 'warning',
  });
}

const folder = import.meta.dirname;

/** Compiles the example into `build/server.js`. */
export function buildExample(): Promise<void> {
  return compile(join(folder, 'server.ts'), join(folder, 'build/server.js'));
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const compiler = fileURLToPath(new URL('../node_modules/typescript-7/bin/tsc', import.meta.url));

/**
 * `next.config.mjs` of an application that is built for one test, in half the time. It is neither downloaded nor built
 * again, and the tests check its types themselves.
 */
export const configOfTest: string = `export default {
  typescript: { ignoreBuildErrors: true },
  experimental: { turbopackMinify: false, turbopackSourceMaps: false, turbopackFileSystemCacheForBuild: false },
};
`;

/**
 * Checks the types of an application that was built, with those that the build has written.
 *
 * @returns The errors of TypeScript; '' if the types are right.
 */
export async function typeFaults(folder: string): Promise<string> {
  const child = spawn(process.execPath, [compiler, '-p', folder, '--incremental', 'false', '--pretty', 'false']);
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => void output.push(text));
  }
  const [code] = await once(child, 'close');
  return code === 0 ? '' : output.join('').trim() || `tsc ended with ${code}`;
}

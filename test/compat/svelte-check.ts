import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const { resolve } = createRequire(import.meta.url);

/**
 * Checks the types of an application that has been built once.
 *
 * @returns What it complains about; its last line alone when there is nothing.
 */
export function svelteCheck(app: string): Promise<string> {
  const program = join(resolve('svelte-check/package.json'), '../bin/svelte-check');
  return new Promise((done) => {
    execFile(
      process.execPath,
      [program, '--tsconfig', join(app, 'tsconfig.json'), '--fail-on-warnings'],
      { cwd: app },
      (_error, out, complaints) =>
        done(
          stripVTControlCharacters(out + complaints)
            .replace(/^Loading.*\n|^Getting.*\n|^\s*\n/gm, '')
            .trim(),
        ),
    );
  });
}

/** The return value of {@link svelteCheck} for an application without a mistake. */
export const nothingWrong = 'svelte-check found 0 errors and 0 warnings';

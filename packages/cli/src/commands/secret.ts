import { randomBytes } from 'node:crypto';
import { basename, dirname, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { appendTo, readIfPresent } from '../files.ts';
import { checkUntracked } from '../ignored.ts';
import { Failure, type Terminal } from '../terminal.ts';

/** Options of {@link secret}. */
export interface SecretOptions {
  readonly write?: string | undefined;
  readonly rotate?: boolean | undefined;
}

/** Returns a secret: 264 random bits, in base64. */
export function newSecret(): string {
  return randomBytes(33).toString('base64');
}

/** Prints a secret, or adds it to a file of environment variables. A file that git tracks gets none. */
export function secret({ write, rotate = false }: SecretOptions, { cwd, print }: Terminal): 0 | 1 {
  if (write === undefined) {
    if (rotate) throw new Failure('`--rotate` needs `--write <file>`, the file that has AUTH_SECRET');
    print(newSecret());
    return 0;
  }
  const file = resolve(cwd, write);
  const present = parseEnv(readIfPresent(file) ?? '');
  const name = rotate ? nextName(present, write) : 'AUTH_SECRET';
  // A line without a value, as in `.env.example`, does not count. A later line takes precedence over it.
  if (present[name]) {
    throw new Failure(`${write} has ${name} already. Add a newer secret with \`--rotate\``, 1);
  }
  checkUntracked(dirname(file), basename(file));
  appendTo(file, `${name}="${newSecret()}"\n`);
  print(`Added ${name} to ${write}.`);
  return 0;
}

/** Newest first. The library reads no others. */
const NAMES = ['AUTH_SECRET_3', 'AUTH_SECRET_2', 'AUTH_SECRET_1'] as const;

function nextName(present: Readonly<Record<string, string | undefined>>, file: string): string {
  if (!present['AUTH_SECRET']) {
    throw new Failure(`${file} has no AUTH_SECRET. Leave out \`--rotate\` to add the first secret`);
  }
  const newest = NAMES.findIndex((name) => present[name]);
  const next = newest === -1 ? NAMES.at(-1) : NAMES[newest - 1];
  if (next !== undefined) return next;
  throw new Failure(
    `${file} has AUTH_SECRET_3 already. Remove the oldest secret, AUTH_SECRET, and give the others the next lower names`,
    1,
  );
}

import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** The sources and the output of a build. */
export interface BuildParts {
  /** The application and the packages in it: folders or files. */
  readonly sources: readonly string[];
  /** Names and patterns below the sources that do not affect the build: `test`, `.data`. */
  readonly without: readonly string[];
  /** The folder that the build writes. */
  readonly output: string;
  /** Further texts that the build depends on: versions, settings. */
  readonly others: readonly string[];
}

const defaultLock = join(import.meta.dirname, '../node_modules/.cache/latchkey/turn.sqlite');

/**
 * Builds, unless the last build had the same sources. One build runs at a time. A caller that has waited does
 * not build again if the other build had the same sources.
 *
 * @param lock File for callers that wait for each other. Default: all builds of this repository do.
 */
export async function buildWhenNeeded(
  parts: BuildParts,
  build: () => Promise<void>,
  lock: string = defaultLock,
): Promise<void> {
  const stamp = join(parts.output, 'made-of');
  const print = fingerprint(parts);
  const isDone = (): boolean => existsSync(stamp) && readFileSync(stamp, 'utf8') === print;
  if (isDone()) return;
  await inTurn(async () => {
    if (isDone()) return;
    // A build that fails must not count as the previous one.
    rmSync(stamp, { force: true });
    await build();
    mkdirSync(parts.output, { recursive: true });
    writeFileSync(stamp, print);
  }, lock);
}

/**
 * Does the work while no other process on this machine works with the same lock. Builds take much memory, and two
 * builds of one application would overwrite each other's files. The lock is that of a SQLite database, so it is
 * released when its process ends for any reason.
 */
export async function inTurn<T>(work: () => Promise<T>, lock: string = defaultLock): Promise<T> {
  mkdirSync(join(lock, '..'), { recursive: true });
  const database = new DatabaseSync(lock, { timeout: 0 });
  try {
    while (!isTaken(database)) await sleep(100);
    return await work();
  } finally {
    database.close();
  }
}

function isTaken(database: DatabaseSync): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    const { errcode } = error as { errcode?: number };
    // SQLITE_BUSY: another process has the lock.
    if (errcode === 5) return false;
    throw error;
  }
}

function fingerprint({ sources, without, others }: BuildParts): string {
  const hash = createHash('sha256').update([process.version, ...others].join('\0'));
  for (const source of sources) {
    for (const file of filesOf(source, without)) hash.update(`\0${file}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

function filesOf(source: string, without: readonly string[]): string[] {
  if (statSync(source).isFile()) return [source];
  const exclude = ['node_modules', ...without].flatMap((name) => [name, `${name}/**`]);
  return globSync('**/*', { cwd: source, exclude })
    .map((name) => join(source, name))
    .filter((file) => statSync(file).isFile())
    .sort();
}

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const folder = join(import.meta.dirname, '../node_modules/.cache/latchkey');

/**
 * Does the work when nobody else on this machine does theirs: builds take much memory, and two of one application spoil each other.
 * The lock is a database's, so that it goes with the process that holds it, whatever its end is.
 */
export async function inTurn<T>(work: () => Promise<T>, file: string = join(folder, 'turn.sqlite')): Promise<T> {
  mkdirSync(join(file, '..'), { recursive: true });
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    while (!isTaken(lock)) await sleep(100);
    return await work();
  } finally {
    lock.close();
  }
}

function isTaken(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    const { errcode } = error as { errcode?: number };
    // SQLITE_BUSY: somebody else has it.
    if (errcode === 5) return false;
    throw error;
  }
}

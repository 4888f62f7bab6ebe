import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the ids of the shared memory segments of the PostgreSQL servers whose folders are in `scratch`. */
export function segmentsOf(scratch: string): string[] {
  return readdirSync(scratch).flatMap((folder) => {
    const file = join(scratch, folder, 'data/postmaster.pid');
    return existsSync(file) ? (readFileSync(file, 'utf8').split('\n')[6]?.trim().split(/\s+/).slice(1) ?? []) : [];
  });
}

/** Returns the ids of all shared memory segments of this machine; an empty list if the system does not list them. */
export function segments(): string[] {
  const list = '/proc/sysvipc/shm';
  if (!existsSync(list)) return [];
  const lines = readFileSync(list, 'utf8').trim().split('\n').slice(1);
  return lines.map((line) => line.trim().split(/\s+/)[1] ?? '');
}

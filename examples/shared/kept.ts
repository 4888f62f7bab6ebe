import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Seals the sessions. That of `AUTH_SECRET`, else one that is made with the folder, and outlives a restart. */
export function keptSecret(folder: string): string {
  if (process.env['AUTH_SECRET']) return process.env['AUTH_SECRET'];
  const file = join(folder, 'secret');
  if (!existsSync(file)) writeFileSync(file, randomBytes(33).toString('base64'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

/**
 * The folder for what a demo keeps on this machine, made when it is not there: that of `DATA_DIR`, else `.data`.
 *
 * @param demo Folder of the demo.
 */
export function dataFolder(demo: string): string {
  const path = process.env['DATA_DIR'] || join(demo, '.data');
  mkdirSync(path, { recursive: true });
  return path;
}

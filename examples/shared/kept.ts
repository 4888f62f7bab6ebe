import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the secret: `AUTH_SECRET`, else the one in the folder, which the first start creates. */
export function keptSecret(folder: string): string {
  if (process.env['AUTH_SECRET']) return process.env['AUTH_SECRET'];
  const file = join(folder, 'secret');
  if (!existsSync(file)) writeFileSync(file, randomBytes(33).toString('base64'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

/**
 * Returns the folder for a demo's data: `DATA_DIR`, else `.data`. Creates it if it does not exist.
 *
 * @param demo The folder of the demo.
 */
export function dataFolder(demo: string): string {
  const path = process.env['DATA_DIR'] || join(demo, '.data');
  mkdirSync(path, { recursive: true });
  return path;
}

import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readImports } from './imports.ts';

/** Returns a file and all files that it imports, directly or not, except those that it imports on demand. */
export function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || !existsSync(file)) return seen;
  seen.add(file);
  for (const { specifier, typeOnly, dynamic } of readImports(readFileSync(file, 'utf8'))) {
    if (!typeOnly && !dynamic && specifier.startsWith('.')) loadedWith(resolve(dirname(file), specifier), seen);
  }
  return seen;
}

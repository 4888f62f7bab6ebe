import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readImports } from './imports.ts';

const src = fileURLToPath(new URL('../../src/', import.meta.url));

/**
 * Returns the files that are loaded with a file: its imports and theirs, without those that are loaded on demand. Paths
 * are relative to `src`.
 */
export function loadedWith(file: string): string[] {
  const seen = new Set<string>();
  const load = (path: string): void => {
    if (seen.has(path) || !existsSync(path)) return;
    seen.add(path);
    for (const { specifier, typeOnly, dynamic } of readImports(readFileSync(path, 'utf8'))) {
      if (!typeOnly && !dynamic && specifier.startsWith('.')) load(resolve(dirname(path), specifier));
    }
  };
  load(src + file);
  return [...seen].map((path) => path.slice(src.length));
}

import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Bounds of a search: larger projects are read in part. */
const MOST_FILES = 3000;
const MOST_BYTES = 262_144;
const FILE = /\.(?:[cm]?[jt]sx?|svelte|vue|astro)$/;
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', 'dist', 'build', 'out', 'coverage', 'public', 'static']);

/** A source file of an application. */
export interface Source {
  /** Path relative to the project. */
  readonly path: string;
  readonly text: string;
}

/** Yields the source files of an application, without dependencies, builds and hidden folders. */
export function* sourcesIn(root: string): Iterable<Source> {
  const folders = [root];
  let count = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.name.startsWith('.') || entry.isSymbolicLink()) continue;
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) folders.push(path);
        continue;
      }
      if (!FILE.test(entry.name)) continue;
      if (++count > MOST_FILES) return;
      const text = readFileSync(path, 'utf8');
      if (text.length <= MOST_BYTES) yield { path: relative(root, path), text };
    }
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((one, other) => one.name.localeCompare(other.name));
  } catch {
    return [];
  }
}

import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readImports } from '../arrows/imports.ts';

const src = fileURLToPath(new URL('../../src/', import.meta.url));

/** The files that are loaded with a file: its imports and theirs, without those that are loaded on demand. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || !existsSync(file)) return seen;
  seen.add(file);
  for (const { specifier, typeOnly, dynamic } of readImports(readFileSync(file, 'utf8'))) {
    if (!typeOnly && !dynamic && specifier.startsWith('.')) loadedWith(resolve(dirname(file), specifier), seen);
  }
  return seen;
}

const limitsIn = (file: string): string[] =>
  [...loadedWith(src + file)].map((path) => path.slice(src.length)).filter((name) => /^rate-limit/.test(name));

describe('nothing of the limits is loaded', () => {
  it.each(['index.ts', 'auth.ts', 'binding.ts', 'jwt.ts', 'actions/session.ts', 'actions/pages.ts', 'types.ts'])(
    'with %s',
    (file) => expect(limitsIn(file)).toEqual([]),
  );

  it.each(['actions/sign-in.ts', 'actions/email.ts'])('with %s, before it counts', (file) =>
    expect(limitsIn(file)).toEqual([]),
  );

  it('is loaded with the file that counts', () => {
    expect(limitsIn('rate-limit/reserve.ts').length).toBeGreaterThan(3);
  });
});

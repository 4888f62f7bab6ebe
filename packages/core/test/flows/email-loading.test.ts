import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readImports } from '../arrows/imports.ts';

const src = fileURLToPath(new URL('../../src/', import.meta.url));

/** The files that come along with a file: what it imports, and what that imports, but for what is loaded on demand. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || !existsSync(file)) return seen;
  seen.add(file);
  for (const { specifier, typeOnly, dynamic } of readImports(readFileSync(file, 'utf8'))) {
    if (!typeOnly && !dynamic && specifier.startsWith('.')) loadedWith(resolve(dirname(file), specifier), seen);
  }
  return seen;
}

const ofMails = (file: string): string[] =>
  [...loadedWith(src + file)]
    .map((path) => path.slice(src.length))
    .filter((name) => /email|mail\.ts|actions.code|verify-request|agent/.test(name));

describe('sign-in by mail', () => {
  it.each(['index.ts', 'auth.ts', 'binding.ts', 'actions/session.ts', 'actions/pages.ts', 'actions/sign-in.ts'])(
    'is not loaded with %s',
    // Every sign-in may store a user of an address.
    (file) => expect(ofMails(file).filter((name) => name !== 'linking/mail.ts')).toEqual([]),
  );

  it('is loaded with its actions', () => {
    expect(ofMails('actions/email.ts').length).toBeGreaterThan(6);
    expect(ofMails('actions/code.ts')).not.toContain('actions/email.ts');
  });
});

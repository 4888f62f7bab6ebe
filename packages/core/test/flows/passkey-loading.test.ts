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

const names = (file: string): string[] => [...loadedWith(src + file)].map((path) => path.slice(src.length));
const ofPasskeys = /webauthn|passkey/;

describe('applications without passkeys', () => {
  it.each([
    'index.ts',
    'auth.ts',
    'binding.ts',
    'jwt.ts',
    'actions/callback-oauth.ts',
    'actions/session.ts',
    'actions/signin.ts',
    'providers/github.ts',
  ])('load nothing of them with %s', (file) => {
    // The check of the configuration is what tells that there are none.
    expect(names(file).filter((name) => ofPasskeys.test(name) && name !== 'config/check-webauthn.ts')).toEqual([]);
  });

  it('load neither the script nor the judge with the sign-in page', () => {
    const passkeys = names('actions/signin-page.ts').filter((name) => ofPasskeys.test(name));
    expect(passkeys.filter((name) => name !== 'config/check-webauthn.ts')).toEqual([]);
  });

  it('would be noticed: the callback of passkeys loads them', () => {
    expect(names('actions/callback-webauthn.ts').filter((name) => ofPasskeys.test(name)).length).toBeGreaterThan(8);
    expect(names('index.ts').length).toBeGreaterThan(20);
  });
});

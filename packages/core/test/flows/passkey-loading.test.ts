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

const names = (file: string): string[] => [...loadedWith(src + file)].map((path) => path.slice(src.length));
const ofPasskeys = /webauthn|passkey/;

describe('applications without passkeys', () => {
  it.each([
    'index.ts',
    'auth.ts',
    'binding.ts',
    'jwt.ts',
    'actions/oauth.ts',
    'actions/session.ts',
    'actions/sign-in.ts',
    'providers/github.ts',
  ])('load nothing of them with %s', (file) => {
    // The check of the configuration finds that no passkey provider is configured.
    expect(
      names(file).filter(
        (name) => ofPasskeys.test(name) && !/^(config.check-webauthn|linking.passkeys)|related-origins/.test(name),
      ),
    ).toEqual([]);
  });

  it('load neither the script nor the verification with the sign-in page', () => {
    const passkeys = names('actions/pages.ts').filter((name) => ofPasskeys.test(name));
    expect(passkeys.filter((name) => !/^(config.check-webauthn|linking.passkeys)|related-origins/.test(name))).toEqual(
      [],
    );
  });

  it('the check works: the passkey action loads them', () => {
    expect(names('actions/webauthn.ts').filter((name) => ofPasskeys.test(name)).length).toBeGreaterThan(8);
    expect(names('index.ts').length).toBeGreaterThan(20);
  });
});

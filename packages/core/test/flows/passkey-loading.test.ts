import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadedWith } from '../arrows/loaded-with.ts';

const src = fileURLToPath(new URL('../../src/', import.meta.url));

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
    // The check of the configuration is what tells that there are none.
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

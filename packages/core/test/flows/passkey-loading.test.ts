import { describe, expect, it } from 'vitest';
import { loadedWith } from '../arrows/loaded.ts';

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
      loadedWith(file).filter(
        (name) => ofPasskeys.test(name) && !/^(config.check-webauthn|linking.passkeys)|related-origins/.test(name),
      ),
    ).toEqual([]);
  });

  it('load neither the script nor the verification with the sign-in page', () => {
    const passkeys = loadedWith('actions/pages.ts').filter((name) => ofPasskeys.test(name));
    expect(passkeys.filter((name) => !/^(config.check-webauthn|linking.passkeys)|related-origins/.test(name))).toEqual(
      [],
    );
  });

  it('the check works: the passkey action loads them', () => {
    expect(loadedWith('actions/webauthn.ts').filter((name) => ofPasskeys.test(name)).length).toBeGreaterThan(8);
    expect(loadedWith('index.ts').length).toBeGreaterThan(20);
  });
});

import { describe, expect, it } from 'vitest';
import type { Proof } from '../../src/identity/proof.ts';
import type { LinkRefusal } from '../../src/linking/link.ts';
import { refusal } from '../../src/linking/refusal.ts';

const SIGN_IN_AGAIN = 'https://app.example/auth/account/sign-in';

/** The error of a refused account of the provider `acme`: its type, its message, and its facts. */
function errorOf(reason: LinkRefusal, proof: Partial<Proof> = {}, type: 'oidc' | 'webauthn' = 'oidc') {
  const account = { provider: 'acme', type, providerAccountId: '1' };
  const error = refusal(reason, { account, user: {}, ...proof } as Proof, SIGN_IN_AGAIN);
  const { cause, signInUrl } = error as { cause?: object; signInUrl?: string };
  const [message = ''] = error.message.split('. See');
  return { type: error.name, message, cause, signInUrl };
}

describe('the error of a refused account', () => {
  it.each<[LinkRefusal, type: string, words: string]>([
    ['too-many-ways', 'TooManyWays', 'as many accounts or passkeys as one user can have'],
    ['reassigned', 'AccountReassigned', 'unlink the account from its user'],
    ['owned-by-another-user', 'OAuthAccountNotLinked', 'belongs to another user than the one who is signed in'],
    ['foreign-session', 'OAuthAccountNotLinked', 'Sign in again in this browser, then add the account'],
    ['sign-in-again', 'RecentSignInRequired', 'The visitor signs in again, then adds the account'],
    ['requester-signed-out', 'OAuthAccountNotLinked', 'is not signed in any more'],
    ['email-taken', 'OAuthAccountNotLinked', 'set the option `allowDangerousEmailAccountLinking`'],
    ['email-unproven', 'OAuthCreateAccountError', 'set the option `emailVerification: "always"`'],
  ])('of %s is %s, says what to do, and names the provider', (reason, type, words) => {
    const error = errorOf(reason);
    expect(error.type).toBe(type);
    expect(error.message).toContain(words);
    expect(error.cause).toMatchObject({ provider: 'acme' });
  });

  it('says where the visitor signs in again', () => {
    expect(errorOf('sign-in-again').signInUrl).toBe(SIGN_IN_AGAIN);
  });

  it('tells an account of another user, and an address that the provider calls unverified, from other reasons', () => {
    expect(errorOf('owned-by-another-user').cause).toEqual({ provider: 'acme', reason: 'other-user' });
    expect(errorOf('email-unproven', { emailStatus: 'unverified' }).cause).toEqual({
      provider: 'acme',
      reason: 'unverified',
    });
    expect(errorOf('email-unproven', { emailStatus: 'unverified' }).message).toContain('Verify it at the provider');
    for (const reason of ['email-unproven', 'email-taken', 'foreign-session', 'requester-signed-out'] as const) {
      expect(errorOf(reason, { emailStatus: 'unknown' }).cause, reason).toEqual({ provider: 'acme' });
    }
  });
});

describe('the error of a refused passkey', () => {
  it.each<LinkRefusal>(['owned-by-another-user', 'foreign-session', 'email-taken'])(
    'of %s is one for all, with the reason in the log',
    (reason) => {
      const { type, message, cause } = errorOf(reason, {}, 'webauthn');
      expect([type, message]).toEqual([
        'WebAuthnVerificationError',
        `the new passkey cannot be linked to a user: ${reason}`,
      ]);
      expect(cause).toEqual({ provider: 'acme' });
    },
  );

  it('of an address that is not proven names the option', () => {
    const { type, message } = errorOf('email-unproven', {}, 'webauthn');
    expect(type).toBe('WebAuthnVerificationError');
    expect(message).toContain('To create such users nevertheless, set the option `unverifiedEmail: "allow"`');
  });

  it('that is one too many says so', () => {
    expect(errorOf('too-many-ways', {}, 'webauthn').type).toBe('TooManyWays');
  });
});

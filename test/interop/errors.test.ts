import * as ours from '@latchkey/core/errors';
import { describe, expect, it } from 'vitest';
import { authjs } from '../peers/authjs.ts';

interface ErrorClass {
  new (message?: unknown, options?: unknown): Error & { type?: string; kind?: string; code?: string };
  type?: string;
  kind?: string;
}

const classes = Object.entries(authjs.errors).filter(
  (entry): entry is [string, ErrorClass] => entry[1].prototype instanceof Error,
);
const own = ours as unknown as Record<string, ErrorClass>;

/** Classes that the sign-in page shows here: faults of the visitor and of the provider. */
const toldAtSignIn = new Set([
  'InvalidCheck',
  'InvalidProvider',
  'OAuthProfileParseError',
  'WebAuthnVerificationError',
]);

describe('error classes', () => {
  it('include all of Auth.js v5', () => {
    expect(classes.length).toBeGreaterThan(30);
    for (const [name] of classes) expect(own[name], name).toBeTypeOf('function');
    expect(own['isClientError']).toBeTypeOf('function');
  });

  it.each(classes)('%s has the type, the name and the kind of its namesake', (name, theirs) => {
    const error = new (own[name] as ErrorClass)('a message');
    const namesake = new theirs('a message');
    expect(own[name]?.type, 'static type').toBe(theirs.type ?? 'AuthError');
    expect(error.type).toBe(namesake.type);
    expect(error.name).toBe(namesake.name);
    expect(error.kind).toBe(toldAtSignIn.has(name) ? 'signIn' : namesake.kind);
    expect(error.message).toMatch(/^a message\. See @latchkey\/core\/docs\/errors\.md#[a-z]+$/);
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(ours.AuthError);
  });

  it('carry exception and facts as cause when made from both', () => {
    const inner = new TypeError('inner', { cause: { where: 'there' } });
    const [one, other] = [ours.CallbackRouteError, authjs.errors['CallbackRouteError'] as ErrorClass].map(
      (CallbackRouteError) => new CallbackRouteError(inner, { provider: 'idp' }),
    );
    expect(one?.cause).toEqual(other?.cause);
    expect(one?.cause).toEqual({ err: inner, where: 'there', provider: 'idp' });
  });

  it('can be extended by an application, whose subclass keeps the type', () => {
    for (const { CredentialsSignin } of [own, authjs.errors as Record<string, ErrorClass>]) {
      class TooManyTries extends (CredentialsSignin as ErrorClass) {
        override code = 'too-many-tries';
      }
      const error = new TooManyTries();
      expect([error.type, error.kind, error.code, error.name]).toEqual([
        'CredentialsSignin',
        'signIn',
        'too-many-tries',
        'TooManyTries',
      ]);
    }
  });

  it('are shown to a client by the same list', () => {
    const isClientError = authjs.errors['isClientError'] as unknown as (error: Error) => boolean;
    for (const [name, theirs] of classes) {
      expect(ours.isClientError(new (own[name] as ErrorClass)()), name).toBe(isClientError(new theirs()));
    }
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as errors from '../src/errors.ts';
import {
  AuthError,
  CredentialsSignin,
  type ErrorType,
  isClientError,
  OAuthAccountNotLinked,
  SignInError,
} from '../src/errors.ts';
import { provokeError, provokeWarning } from './errors/provocations.ts';

/** The members of a union of string literals, as the source has them. */
function membersOf(file: string, name: string): string[] {
  const source = readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8');
  const union = new RegExp(`export type ${name} =([^;]+);`).exec(source)?.[1] ?? '';
  return [...union.matchAll(/'([\w-]+)'/g)].map(([, member]) => member ?? '');
}

const classes = Object.values(errors).filter(
  (value): value is typeof AuthError => typeof value === 'function' && value.prototype instanceof AuthError,
);
const errorTypes = [...new Set([AuthError, ...classes].filter((one) => one !== SignInError).map((one) => one.type))];
const warningCodes = membersOf('types/config.ts', 'WarningCode');

/** The members of `ErrorType` that are literals. */
type KnownType<T = ErrorType> = T extends string ? (string extends T ? never : T) : never;

describe('every error', () => {
  it('has a test that provokes it', () => {
    expect(Object.keys(provokeError).sort()).toEqual([...errorTypes].sort());
  });

  it.each(Object.entries(provokeError))('%s happens', async (type, provoke) => {
    expect(await provoke()).toContain(type);
  });

  it('is a class of that name, with a kind and a stable code for the visitor', () => {
    const names = new Set(classes.filter((one) => one !== SignInError).map((one) => one.name));
    expect(['AuthError', ...names].sort()).toEqual([...errorTypes].sort());
    expectTypeOf<'InvalidCheck' | 'AuthError'>().toExtend<KnownType>();
    expectTypeOf<'SignInError' | 'BadRequest' | 'errorOf'>().not.toExtend<KnownType>();
    for (const one of classes) {
      const error = new one('x');
      expect(error).toBeInstanceOf(AuthError);
      expect(error.name).toBe(one.name);
      expect(error.type).toBe(one.type);
      expect(error.kind).toBe(error instanceof SignInError ? 'signIn' : 'error');
      expect(one.shown).toMatch(/^[A-Za-z]+$/);
      expect(error.message).toBe(`x. See @latchkey/core/docs/errors.md#${one.type.toLowerCase()}`);
    }
  });
});

describe('every warning', () => {
  it('has a test that provokes it', () => {
    expect(Object.keys(provokeWarning).sort()).toEqual([...warningCodes].sort());
  });

  it.each(Object.entries(provokeWarning))('%s is given', async (code, provoke) => {
    expect(await provoke()).toContain(code);
  });
});

describe('an AuthError', () => {
  it('has type and kind as own members, for subclasses that set them and for JSON', () => {
    class ByField extends AuthError {
      override type = 'ByField';
    }
    class ByAssignment extends AuthError {
      constructor(type: string) {
        super();
        this.type = type;
      }
    }
    expect([new ByField().type, new ByAssignment('Told').type]).toEqual(['ByField', 'Told']);
    expect(JSON.parse(JSON.stringify(new CredentialsSignin()))).toMatchObject({
      type: 'CredentialsSignin',
      kind: 'signIn',
      code: 'credentials',
    });
  });

  const cause = new Error('why', { cause: { deeper: 1 } });

  it.each<[string, AuthError, object | undefined]>([
    ['nothing', new AuthError(), undefined],
    ['a message', new AuthError('text'), undefined],
    ['a message and facts', new AuthError('text', { provider: 'x' }), { provider: 'x' }],
    ['a message and a cause', new AuthError('text', { cause }), { err: cause, deeper: 1 }],
    ['a message and facts as cause', new AuthError('text', { cause: { a: 1 } }), { a: 1 }],
    ['a message and an exception', new AuthError('text', cause), { err: cause, deeper: 1 }],
    ['an exception', new AuthError(cause), { err: cause, deeper: 1 }],
    ['an exception and facts', new AuthError(cause, { provider: 'x' }), { err: cause, deeper: 1, provider: 'x' }],
    ['facts', new AuthError({ provider: 'x' }), { provider: 'x' }],
    ['an undefined cause', new AuthError('text', { cause: undefined }), undefined],
  ])('is made of %s', (_, error, expected) => {
    expect(error.cause).toEqual(expected);
    expect(error.type).toBe('AuthError');
    expect(error.kind).toBe('error');
  });

  it('keeps the type of its class in a subclass of the application', () => {
    class TooOften extends CredentialsSignin {
      override code = 'too-often';
    }
    const error = new TooOften();
    expect(error).toMatchObject({ name: 'TooOften', type: 'CredentialsSignin', kind: 'signIn', code: 'too-often' });
    expect(isClientError(error)).toBe(true);
  });

  it('does not repeat the full stop', () => {
    expect(new AuthError('text.').message).toBe('text. See @latchkey/core/docs/errors.md#autherror');
    expect(new AuthError().message).toBe('See @latchkey/core/docs/errors.md#autherror');
  });

  it('is shown to the client only if its type reveals nothing about the server', () => {
    const told = classes.filter((one) => isClientError(new one()));
    expect(told.map(({ type }) => type).sort()).toEqual([
      'AccessDenied',
      'AccountNotLinked',
      'AccountReassigned',
      'CredentialsSignin',
      'LastWayIn',
      'MissingCSRF',
      'OAuthAccountNotLinked',
      'OAuthCallbackError',
      'RecentSignInRequired',
      'TooManyWays',
      'Verification',
      'WebAuthnVerificationError',
    ]);
    expect(isClientError(new Error('x'))).toBe(false);
    expect(isClientError({ type: 'AccessDenied' } as never)).toBe(false);
  });

  it('has the name that Auth.js v5 uses', () => {
    expect(errors.MissingSecretError).toBe(errors.MissingSecret);
    expect(new OAuthAccountNotLinked('x', { provider: 'p' }).cause).toEqual({ provider: 'p' });
  });
});

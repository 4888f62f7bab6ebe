import {
  AuthError,
  CredentialsSignin,
  isClientError,
  type MissingSecret,
  MissingSecretError,
} from '@latchkey/core/errors';
import { exactly } from './assert.ts';

declare const caught: unknown;

export class WrongPin extends CredentialsSignin {
  override code = 'wrong_pin';
  static override type = 'WrongPin';
}
export class Refused extends AuthError {
  static override kind = 'signIn' as const;
}

export class OfItsOwn extends CredentialsSignin {
  override type = 'OfItsOwn' as const;
}
export class Told extends AuthError {
  constructor(type: string) {
    super();
    this.type = type;
  }
}

new AuthError('why', { cause: caught });
new AuthError(new Error('why'), { provider: 'github' });
new WrongPin();
exactly<MissingSecret>()(new MissingSecretError());

if (caught instanceof AuthError) {
  exactly<'signIn' | 'error'>()(caught.kind);
  exactly<Error | undefined>()(caught.cause?.err);
  switch (caught.type) {
    case 'CredentialsSignin':
      break;
    case 'AccessDenied':
      break;
  }
}
if (caught instanceof CredentialsSignin) exactly<string>()(caught.code);
if (caught instanceof Error && isClientError(caught)) exactly<AuthError>()(caught);

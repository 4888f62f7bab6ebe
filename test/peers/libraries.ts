import { Auth, type AuthConfig, customFetch, raw, skipCSRFCheck } from '@latchkey/core';
import { CredentialsSignin } from '@latchkey/core/errors';
import { DEFAULT_SECRET, type FakeProvider } from '@latchkey/testing';
import { authjs } from './authjs.ts';

/** Latchkey or Auth.js v5 behind one interface, so that one test can run with either. */
export interface Library {
  readonly name: 'authjs' | 'latchkey';
  auth(request: Request, config: object): Promise<Response>;
  readonly customFetch: symbol;
  readonly skipCSRFCheck: symbol;
  readonly raw: symbol;
  /** The class that `authorize()` throws. */
  readonly CredentialsSignin: new () => Error & { code?: string };
}

/** This library. */
export const latchkey: Library = {
  name: 'latchkey',
  auth: (request, config) => Auth(request, config as Omit<AuthConfig, 'raw'>),
  customFetch,
  skipCSRFCheck,
  raw,
  CredentialsSignin,
};

/** Auth.js, as a black box. */
export const peer: Library = {
  name: 'authjs',
  auth: (request, config) => authjs.core.Auth(request, config),
  customFetch: authjs.core.customFetch,
  skipCSRFCheck: authjs.core.skipCSRFCheck,
  raw: authjs.core.raw,
  CredentialsSignin: authjs.errors['CredentialsSignin'] as Library['CredentialsSignin'],
};

/** The configuration of a fake OpenID provider under the id `idp`, for either library. */
export function idpConfig(library: Library, provider: FakeProvider, options: object = {}): Record<string, unknown> {
  return {
    id: 'idp',
    name: 'Identity provider',
    type: 'oidc',
    issuer: provider.issuer,
    clientId: 'client',
    clientSecret: DEFAULT_SECRET,
    [library.customFetch]: provider.fetch,
    ...options,
  };
}

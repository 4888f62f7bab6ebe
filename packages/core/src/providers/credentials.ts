import type { Awaitable, User } from '../types.ts';
import type { CommonProviderOptions } from './index.ts';

/** Id of the built-in provider. */
export type CredentialsProviderId = 'credentials';

/** An attribute's value. The family's types have objects there, too (signals of preact); those are left out of the page. */
type Attribute<T> = T | { readonly value: T | undefined } | undefined;

/** An `<input>` of the sign-in form: its attributes and its label. */
export interface CredentialInput {
  label?: string | undefined;
  type?: Attribute<string>;
  value?: Attribute<string | number>;
  placeholder?: Attribute<string>;
  required?: Attribute<boolean>;
  autocomplete?: Attribute<string>;
  [attribute: string]: unknown;
}

/** A provider whose application checks the credentials itself. */
export interface CredentialsConfig<C extends Record<string, CredentialInput> = Record<string, CredentialInput>>
  extends CommonProviderOptions {
  type: 'credentials';
  /** Inputs of the form on the sign-in page, by name. */
  credentials: C;
  /**
   * Who is it? `null` (or throwing {@link CredentialsSignin}) refuses; the `id` of the result becomes `providerAccountId`.
   *
   * @param credentials All fields of the form, as typed: check their shape.
   * @param request The sign-in request; its body is JSON with the same fields.
   */
  authorize(credentials: Partial<Record<keyof C, unknown>>, request: Request): Awaitable<User | null>;
  options?: Partial<CredentialsConfig<C>> | undefined;
}

/** Sign-in with whatever the application can check: a password, a code, a wallet's signature. */
export default function Credentials<C extends Record<string, CredentialInput> = Record<string, CredentialInput>>(
  config: Partial<Omit<CredentialsConfig<C>, 'options' | 'type'>>,
): CredentialsConfig {
  return {
    id: 'credentials',
    name: 'Credentials',
    type: 'credentials',
    credentials: {},
    authorize: () => null,
    options: config as Partial<CredentialsConfig>,
  };
}

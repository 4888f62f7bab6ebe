import type { Awaitable, User } from '../types.ts';
import type { CommonProviderOptions } from './index.ts';

/** Id of the built-in provider. */
export type CredentialsProviderId = 'credentials';

/** An attribute's value. The family's types have signals there, too (of preact), which are left out of the page. */
type Attribute<T> = T | Signal<T | undefined> | undefined;

interface Signal<T> {
  value: T;
  peek(): T;
  subscribe(listener: (value: T) => void): () => void;
}

type Flag = 'autoFocus' | 'autofocus' | 'checked' | 'disabled' | 'multiple' | 'readOnly' | 'readonly' | 'spellcheck';
type Text = 'autoComplete' | 'autoCorrect' | 'autocorrect' | 'inputMode' | 'inputmode' | 'lang' | 'pattern' | 'title';
type Count = 'maxLength' | 'maxlength' | 'minLength' | 'minlength' | 'size';
/** The attributes that the page shows, beside those that {@link CredentialInput} explains. */
type InputAttributes = { [K in Flag]?: Attribute<boolean> } & { [K in Text]?: Attribute<string> } & {
  [K in Count]?: Attribute<number>;
} & { [K in 'max' | 'min']?: string | number | Attribute<string> } & { step?: Attribute<string | number> };

/** An `<input>` of the sign-in form: its attributes and its label. */
export interface CredentialInput extends InputAttributes {
  label?: string | undefined;
  type?: Attribute<string>;
  value?: Attribute<string | number | string[]>;
  placeholder?: Attribute<string>;
  required?: Attribute<boolean>;
  autocomplete?: Attribute<string>;
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

/**
 * Sign-in with whatever the application can check: a password, a code, a wallet's signature.
 *
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html
 * @reviewed 2026-11-21
 * @register Nothing. `authorize` says who it is, and may refuse. Failed attempts are limited, see `docs/rate-limits.md`.
 * @option `credentials` Inputs of the form on the sign-in page, by name.
 * @option `authorize(credentials, request)` Returns the user, or `null` to refuse.
 */
export default function Credentials<C extends Record<string, CredentialInput> = Record<string, CredentialInput>>(
  config: Partial<CredentialsConfig<C>>,
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

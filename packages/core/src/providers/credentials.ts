import type { CommonProviderOptions } from '../types/provider.ts';
import type { Awaitable, User } from '../types/user.ts';

/** Id of the built-in provider. */
export type CredentialsProviderId = 'credentials';

/** The value of an attribute. The types of Auth.js v5 also allow Preact signals, which the page leaves out. */
type Attribute<T> = T | Signal<T | undefined> | undefined;

interface Signal<T> {
  value: T;
  peek(): T;
  subscribe(listener: (value: T) => void): () => void;
}

type Flag = 'autoFocus' | 'autofocus' | 'checked' | 'disabled' | 'multiple' | 'readOnly' | 'readonly' | 'spellcheck';
type Text = 'autoComplete' | 'autoCorrect' | 'autocorrect' | 'inputMode' | 'inputmode' | 'lang' | 'pattern' | 'title';
type Count = 'maxLength' | 'maxlength' | 'minLength' | 'minlength' | 'size';
/** The attributes that the page renders, in addition to those of {@link CredentialInput}. */
type InputAttributes = { [K in Flag]?: Attribute<boolean> } & { [K in Text]?: Attribute<string> } & {
  [K in Count]?: Attribute<number>;
} & { [K in 'max' | 'min']?: string | number | Attribute<string> } & { step?: Attribute<string | number> };

/** An `<input>` of the sign-in form: its attributes and its label. */
export interface CredentialInput extends InputAttributes {
  /** Text of the label. Default: the name of the field. */
  label?: string | undefined;
  /** Type of the input, such as `password`. Default: `text`. */
  type?: Attribute<string>;
  /** Initial value. */
  value?: Attribute<string | number | string[]>;
  /** Text in the empty field. */
  placeholder?: Attribute<string>;
  /** `true`: the browser does not submit the form while the field is empty. Default: `false`. */
  required?: Attribute<boolean>;
  /** Hint for password managers. Default: `current-password` for passwords, `username` for addresses and user names. */
  autocomplete?: Attribute<string>;
}

/** A provider with which the application itself checks the credentials. */
export interface CredentialsConfig<C extends Record<string, CredentialInput> = Record<string, CredentialInput>>
  extends CommonProviderOptions {
  /** The visitor types a name and a password, or other fields. */
  type: 'credentials';
  /** Inputs of the form on the sign-in page, by name. */
  credentials: C;
  /**
   * Returns the user with these credentials, or `null` to refuse the sign-in. The `id` of the user becomes
   * `providerAccountId`.
   *
   * @param credentials All fields that were sent. They are not validated: check the type of each.
   * @param request The sign-in request. Its body is JSON with the same fields.
   * @throws {CredentialsSignin} to refuse the sign-in with a `code` for the sign-in page.
   */
  authorize(credentials: Partial<Record<keyof C, unknown>>, request: Request): Awaitable<User | null>;
  /** Internal: options that the application passed to the factory. They override the other members. */
  options?: Partial<CredentialsConfig<C>> | undefined;
}

/**
 * Credentials that the application checks, such as a password, a code or a signature of a wallet.
 *
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html
 * @reviewed 2026-11-21
 * @register Not needed. `authorize` returns the user or refuses the sign-in. For the limit of failed attempts, see
 * `docs/rate-limits.md`.
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

import { type PasskeyOptions, passkeyForm } from './passkey.ts';
import { formOf, type SignInResponse } from './post.ts';
import { providerType } from './provider-type.ts';
import { type Counter, readOptions, type SignInAuthorizationParams, type SignInOptions } from './sign-in.ts';

/** What `signIn` takes, beside the fields of the provider's form, for example `email`. */
export interface WebAuthnSignInOptions extends SignInOptions, PasskeyOptions {
  /**
   * `authenticate`: use a passkey, `register`: make one, for the visitor or for an `email` that nobody has yet. Default: what the server
   * finds right for the fields.
   */
  action?: 'authenticate' | 'register' | undefined;
}

/**
 * Signs in with a passkey, or makes one: asks the server, has the browser show its dialogue, and sends what the visitor's device answers.
 * With `autofill` passkeys are offered in a field instead; the promise waits until one is taken.
 *
 * @returns The result. Without one the page has been left: after a success, unless `redirect` is `false`. What ends before the form is
 *   sent leaves the page as it is and is told by `error`: the name of the browser's exception with status 0 (`NotAllowedError` when the
 *   visitor has cancelled), or `BadRequest` with status 400 when the server has refused.
 * @throws {ClientFetchError} when the server cannot be reached.
 * @throws {TypeError} for providers that have no passkeys.
 */
export async function passkeySignInAt(
  { address, send }: Counter,
  provider?: string,
  options: WebAuthnSignInOptions = {},
  authorizationParams?: SignInAuthorizationParams,
): Promise<SignInResponse | undefined> {
  const { autofill, signal, ...others } = options;
  const wish = readOptions(others);
  const type = await providerType(address, provider, wish);
  if (!type) return undefined;
  if (type !== 'webauthn') throw new TypeError(`"${provider}" has no passkeys: use the other signIn`);
  const form = await passkeyForm(`${address}/webauthn-options/${provider}?${formOf(wish.fields)}`, {
    autofill,
    signal,
  });
  if ('refusal' in form) return { code: undefined, ok: false, url: null, ...form.refusal };
  return send(
    `${address}/callback/${provider}?${new URLSearchParams(authorizationParams)}`,
    { ...wish.fields, ...form.fields, callbackUrl: wish.redirectTo },
    { redirect: wish.redirect, trigger: 'getSession' },
  );
}

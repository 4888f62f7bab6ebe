import * as core from '@latchkey/core/client';

export type { SignInAuthorizationParams, SignInResponse } from '@latchkey/core/client';

/** Options of `signIn`, beside the fields of the provider's form, for example `email`. */
export interface WebAuthnSignInOptions extends core.WebAuthnSignInOptions {
  /** The whole path of the actions, with Astro's option `base`. Default: `/auth`. */
  basePath?: string | undefined;
}

/**
 * Signs in with a passkey, or makes one: gets the options from the server, asks the visitor, and sends the
 * device's answer. With `autofill`, the browser offers passkeys in a field, and the promise waits until one is taken.
 *
 * ```ts
 * const result = await signIn('passkey', { action: 'register', email, redirect: false });
 * ```
 *
 * @returns The result. It is `undefined` if the browser leaves the page: after a success, unless `redirect` is `false`.
 *   If the ceremony ends before the form is sent, the page stays. The member `error` is then `BadRequest` (status 400)
 *   if the server refused. Otherwise it is the name of the browser's exception (status 0): `NotAllowedError` if the
 *   visitor canceled.
 * @throws {ClientFetchError} If the server cannot be reached. If the providers cannot be loaded, the browser goes to
 *   the error page instead, except with `redirect: false` or `autofill`.
 * @throws {TypeError} For a provider without passkeys.
 */
export function signIn(
  provider?: string,
  options: WebAuthnSignInOptions = {},
  authorizationParams?: core.SignInAuthorizationParams,
): Promise<core.SignInResponse | undefined> {
  const { basePath, ...others } = options;
  return core.passkeySignInAt(core.clientBinding(basePath), provider, others, authorizationParams);
}

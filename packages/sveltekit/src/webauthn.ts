import {
  type WebAuthnSignInOptions as CommonSignInOptions,
  passkeySignInAt,
  type SignInAuthorizationParams,
  type SignInResponse,
} from '@latchkey/core/client';
import { actionsAddress } from './client/kit.ts';
import { send } from './client/send.ts';

export type { SignInAuthorizationParams, SignInResponse } from '@latchkey/core/client';

/** What `signIn` takes, beside the fields of the provider's form, for example `email`. */
export interface WebAuthnSignInOptions extends CommonSignInOptions {
  /** Where the actions are, where that is configured; below Kit's own base path. Default: `/auth`. */
  basePath?: string | undefined;
}

/**
 * Signs in with a passkey, or makes one: asks the server, has the browser show its dialogue, and sends what the visitor's device answers.
 * With `autofill` passkeys are offered in a field instead; the promise waits until one is taken.
 *
 * @returns The result. Without one the page has been left: after a success, unless `redirect` is `false`. What ends before the form is
 *   sent leaves the page as it is and is told by `error`: the name of the browser's exception with status 0 (`NotAllowedError` when the
 *   visitor has cancelled), or `BadRequest` with status 400 when the server has refused.
 * @throws {ClientFetchError} when the server cannot be reached. Where the ways to sign in cannot be had and `redirect` is not `false`,
 *   the page is left for the error page.
 * @throws {TypeError} for providers that have no passkeys.
 */
export function signIn(
  provider?: string,
  options: WebAuthnSignInOptions = {},
  authorizationParams?: SignInAuthorizationParams,
): Promise<SignInResponse | undefined> {
  const { basePath, ...others } = options;
  return passkeySignInAt({ address: actionsAddress(basePath), send }, provider, others, authorizationParams);
}

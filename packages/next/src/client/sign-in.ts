import {
  type SignInAuthorizationParams,
  type SignInOptions,
  type SignInResponse,
  signInAt,
} from '@latchkey/core/client';
import { actionsAddress } from './addresses.ts';
import { send } from './send.ts';

/**
 * Starts a sign-in, or carries it out where credentials go along. Without a provider, or with one that is not configured, the way is to
 * the sign-in page.
 *
 * @returns With `redirect: false` the result; otherwise the page is left.
 * @throws {ClientFetchError} when the server cannot be reached. Where the ways to sign in cannot be had and `redirect` is not `false`,
 *   the page is left for the error page.
 * @throws {TypeError} for passkeys: their `signIn` is in `@latchkey/next/webauthn`.
 */
export function signIn(
  provider: string | undefined,
  options: SignInOptions<false> & { redirect: false },
  authorizationParams?: SignInAuthorizationParams,
): Promise<SignInResponse>;
export function signIn(
  provider?: string,
  options?: SignInOptions<true>,
  authorizationParams?: SignInAuthorizationParams,
): Promise<undefined>;
export function signIn(
  provider?: string,
  options?: SignInOptions,
  authorizationParams?: SignInAuthorizationParams,
): Promise<SignInResponse | undefined>;
export function signIn(
  provider?: string,
  options?: SignInOptions,
  authorizationParams?: SignInAuthorizationParams,
): Promise<SignInResponse | undefined> {
  return signInAt({ address: actionsAddress(), send }, provider, options, authorizationParams);
}

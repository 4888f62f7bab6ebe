import {
  ClientFetchError,
  type SignInOptions as CommonSignInOptions,
  readOptions,
  type SignInAuthorizationParams,
  type SignInResponse,
  signInAt,
} from '@latchkey/core/client';
import { actionsAddress } from './client/kit.ts';
import { send } from './client/send.ts';

export { ClientFetchError, type SignInAuthorizationParams, type SignInResponse } from '@latchkey/core/client';
export { watchSession } from './client/watch.ts';

/** What `signIn` takes, beside the fields of the provider's form. */
export interface SignInOptions<Redirect extends boolean = boolean> extends CommonSignInOptions<Redirect> {
  /** Where the actions are, where that is configured; below Kit's own base path. Default: `/auth`. */
  basePath?: string | undefined;
}

/** What `signOut` takes. */
export interface SignOutParams<Redirect extends boolean = boolean> {
  /** Where the visitor goes afterwards. Default: this page. */
  redirectTo?: string | undefined;
  /** @deprecated use `redirectTo` */
  callbackUrl?: string | undefined;
  /** `false`: stay on this page, whose `load` functions look again. Default: `true`. */
  redirect?: Redirect | undefined;
  /** Where the actions are, where that is configured; below Kit's own base path. Default: `/auth`. */
  basePath?: string | undefined;
}

/** What `signOut` tells with `redirect: false`. */
export interface SignOutResponse {
  /** Where to go next. */
  url: string;
}

/**
 * Starts a sign-in, or carries it out where credentials go along. Without a provider, or with one that is not configured, the way is to
 * the sign-in page.
 *
 * @returns With `redirect: false` the result, when the page's `load` functions have seen the new session; otherwise the page is left.
 * @throws {ClientFetchError} when the server cannot be reached. Where the ways to sign in cannot be had and `redirect` is not `false`,
 *   the page is left for the error page.
 * @throws {TypeError} for passkeys: their `signIn` is in `@latchkey/sveltekit/webauthn`.
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
  options: SignInOptions = {},
  authorizationParams?: SignInAuthorizationParams,
): Promise<SignInResponse | undefined> {
  const { basePath, ...others } = options;
  return signInAt({ address: actionsAddress(basePath), send }, provider, others, authorizationParams);
}

/**
 * Ends the session, in all tabs.
 *
 * @returns With `redirect: false` where to go next, when the page's `load` functions have seen it; otherwise the page is left.
 * @throws {ClientFetchError} when the server cannot be reached or has refused: the session has not ended.
 */
export function signOut(options: SignOutParams<false> & { redirect: false }): Promise<SignOutResponse>;
export function signOut(options?: SignOutParams<true>): Promise<undefined>;
export function signOut(options?: SignOutParams): Promise<SignOutResponse | undefined>;
export async function signOut(options: SignOutParams = {}): Promise<SignOutResponse | undefined> {
  const { basePath, ...others } = options;
  const { redirect, redirectTo: callbackUrl } = readOptions(others);
  const ending = { redirect, trigger: 'signout' };
  const address = `${actionsAddress(basePath)}/signout`;
  const result = await send(address, { callbackUrl }, ending);
  if (result && !result.ok) throw new ClientFetchError(address, result.status);
  return result && { url: result.url ?? callbackUrl };
}

import {
  type SignInOptions as CommonSignInOptions,
  type SignOutOptions as CommonSignOutOptions,
  ifChanged,
  listen,
  type SignInAuthorizationParams,
  type SignInResponse,
  signInAt,
  signOutAt,
} from '@latchkey/core/client';
import { actionsAt, reload } from './client/send.ts';

export { ClientFetchError, type SignInAuthorizationParams, type SignInResponse } from '@latchkey/core/client';

/** Options of `signIn`, beside the fields of the provider's form. */
export interface SignInOptions<Redirect extends boolean = boolean> extends CommonSignInOptions<Redirect> {
  /** Path of the actions as configured, below Kit's own base path. Default: `/auth`. */
  basePath?: string | undefined;
}

/** Options of `signOut`. */
export interface SignOutParams<Redirect extends boolean = boolean> extends CommonSignOutOptions<Redirect> {
  /** Name of `redirectTo` in Auth.js v5. `redirectTo` wins. @deprecated Use `redirectTo`. */
  callbackUrl?: string | undefined;
  /** Path of the actions as configured, below Kit's own base path. Default: `/auth`. */
  basePath?: string | undefined;
}

/** The result of `signOut` with `redirect: false`. */
export interface SignOutResponse {
  /** Where to go next. */
  url: string;
}

/**
 * Starts a sign-in at a provider, or signs in if the options hold credentials. Without a known provider, the browser
 * goes to the sign-in page.
 *
 * ```ts
 * const result = await signIn('credentials', { email, password, redirect: false });
 * ```
 *
 * @returns The result, with `redirect: false`, when the `load` functions of the page have seen the new session.
 *   Otherwise the browser leaves the page.
 * @throws {ClientFetchError} If the server cannot be reached. If the providers cannot be loaded and `redirect` is not
 *   `false`, the browser goes to the error page instead.
 * @throws {TypeError} For passkeys: their `signIn` is in `@latchkey/sveltekit/webauthn`.
 */
export function signIn(
  provider: string | undefined,
  options: SignInOptions<false> & { redirect: false },
  authorizationParams?: SignInAuthorizationParams,
): Promise<SignInResponse>;
/**
 * Starts a sign-in, and leaves the page. The promise resolves before the next page opens.
 *
 * ```ts
 * await signIn('github', { redirectTo: '/account' });
 * ```
 *
 * @throws {ClientFetchError} If the server cannot be reached.
 */
export function signIn(
  provider?: string,
  options?: SignInOptions<true>,
  authorizationParams?: SignInAuthorizationParams,
): Promise<undefined>;
/**
 * Starts a sign-in with options that are known only at run time.
 *
 * ```ts
 * const result = await signIn('credentials', options); // undefined unless options.redirect is false
 * ```
 *
 * @throws {ClientFetchError} If the server cannot be reached.
 */
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
  return signInAt(actionsAt(basePath), provider, others, authorizationParams);
}

/**
 * Ends the session, in all tabs. With `logout.provider`, the next address leads to the provider, which ends its
 * session and leads back.
 *
 * ```ts
 * await signOut({ redirectTo: '/' });
 * ```
 *
 * @returns The next address, with `redirect: false`, when the `load` functions of the page have seen the change.
 *   Otherwise the browser leaves the page.
 * @throws {ClientFetchError} If the server cannot be reached or refuses. The session has not ended.
 */
export function signOut(options: SignOutParams<false> & { redirect: false }): Promise<SignOutResponse>;
/**
 * Ends the session, and leaves the page.
 *
 * ```ts
 * await signOut({ redirectTo: '/' });
 * ```
 *
 * @throws {ClientFetchError} If the server cannot be reached or refuses. The session has not ended.
 */
export function signOut(options?: SignOutParams<true>): Promise<undefined>;
/**
 * Ends the session, with options that are known only at run time.
 *
 * ```ts
 * const result = await signOut(options); // undefined unless options.redirect is false
 * ```
 *
 * @throws {ClientFetchError} If the server cannot be reached or refuses. The session has not ended.
 */
export function signOut(options?: SignOutParams): Promise<SignOutResponse | undefined>;
export async function signOut(options: SignOutParams = {}): Promise<SignOutResponse | undefined> {
  const { basePath, ...others } = options;
  const result = await signOutAt(actionsAt(basePath), others);
  return result && { url: result.url };
}

/**
 * Runs the `load` functions again when the session has changed elsewhere, for example in another tab. Sends no request
 * before a change. Call it in the layout.
 *
 * ```ts
 * onMount(watchSession);
 * ```
 *
 * @returns A function that stops watching.
 */
export function watchSession(): () => void {
  const look = ifChanged(reload);
  return listen(look, look, look);
}

import {
  type ActionsPath,
  type SignOutOptions as CommonSignOutOptions,
  type SignInAuthorizationParams,
  type SignInOptions,
  type SignInResponse,
  signInAt,
  signOutAt,
} from '@latchkey/core/client';
import { actionsAt } from './client/send.ts';

export { ClientFetchError } from '@latchkey/core/client';
export type { ActionsPath, SignInAuthorizationParams, SignInOptions, SignInResponse };

/** Options of `signOut`. */
export interface SignOutOptions extends CommonSignOutOptions, ActionsPath {}

/**
 * Starts a sign-in at a provider, or signs in if the options hold credentials. Without a known provider, the browser
 * goes to the sign-in page.
 *
 * ```ts
 * const result = await signIn('credentials', { email, password, redirect: false });
 * ```
 *
 * @returns The result, with `redirect: false`, when the page has the new session. Otherwise the browser leaves the
 *   page.
 * @throws {ClientFetchError} If the server cannot be reached. If the providers cannot be loaded and `redirect` is not
 *   `false`, the browser goes to the error page instead.
 * @throws {TypeError} For passkeys: their `signIn` is in `@latchkey/nuxt/webauthn`.
 */
export function signIn(
  provider?: string,
  { basePath, ...options }: SignInOptions & ActionsPath = {},
  authorizationParams?: SignInAuthorizationParams,
): Promise<SignInResponse | undefined> {
  return signInAt(actionsAt(basePath), provider, options, authorizationParams);
}

/**
 * Ends the session, in all tabs. With `logout.provider`, the next address is that of the provider, which ends its
 * session and leads back.
 *
 * ```ts
 * await signOut({ redirectTo: '/' });
 * ```
 *
 * @returns The result with the next address, with `redirect: false`. Otherwise the browser leaves the page.
 * @throws {ClientFetchError} If the server cannot be reached or refuses. The session has not ended.
 */
export function signOut({ basePath, ...options }: SignOutOptions = {}): Promise<SignInResponse | undefined> {
  return signOutAt(actionsAt(basePath), options);
}

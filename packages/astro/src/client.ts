import * as core from '@latchkey/core/client';

export { ClientFetchError, type SignInAuthorizationParams, type SignInResponse } from '@latchkey/core/client';

/** Options of `signIn`, beside the fields of the provider's form. */
export interface SignInOptions extends core.SignInOptions {
  /** The whole path of the actions, with Astro's option `base`. Default: `/auth`. */
  basePath?: string | undefined;
}

/** Options of `signOut`. */
export interface SignOutOptions extends core.SignOutOptions, Pick<SignInOptions, 'basePath'> {}

/**
 * Starts a sign-in at a provider, or signs in if the options hold credentials. Without a known provider, the browser
 * goes to the sign-in page.
 *
 * ```ts
 * const result = await signIn('credentials', { email, password, redirect: false });
 * ```
 *
 * @returns The result, with `redirect: false`. Otherwise the browser leaves the page.
 * @throws {ClientFetchError} If the server cannot be reached. If the providers cannot be loaded and `redirect` is not
 *   `false`, the browser goes to the error page instead.
 * @throws {TypeError} For passkeys: their `signIn` is in `@latchkey/astro/webauthn`.
 */
export function signIn(
  provider?: string,
  options: SignInOptions = {},
  authorizationParams?: core.SignInAuthorizationParams,
): Promise<core.SignInResponse | undefined> {
  const { basePath, ...others } = options;
  return core.signInAt(core.clientBinding(basePath), provider, others, authorizationParams);
}

/**
 * Ends the session, in all tabs. With `logout.provider`, the next address is that of the provider, which ends its
 * session and leads back.
 *
 * ```ts
 * await signOut({ redirectTo: '/' });
 * ```
 *
 * @returns The next address, with `redirect: false`. Otherwise the browser leaves the page.
 * @throws {ClientFetchError} If the server cannot be reached or refuses. The session has not ended.
 */
export async function signOut(options: SignOutOptions = {}): Promise<{ url: string } | undefined> {
  const { basePath, ...others } = options;
  const result = await core.signOutAt(core.clientBinding(basePath), others);
  return result && { url: result.url };
}

/**
 * Reloads the page when the session has changed, for example in another tab. Sends no request before a change.
 *
 * ```ts
 * watchSession(); // In a script of the layout.
 * ```
 *
 * @param reload Shows the page again. Default: the browser loads it. With `<ClientRouter />`, use Astro's `navigate`.
 * @returns A function that stops watching.
 */
export function watchSession(reload: () => void = () => location.reload()): () => void {
  const look = core.ifChanged(reload);
  return core.listen(look, look, look);
}

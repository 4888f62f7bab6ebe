import {
  ClientFetchError,
  listen,
  readOptions,
  readRevision,
  type SignInAuthorizationParams,
  type SignInOptions,
  type SignInResponse,
  signInAt,
} from '@latchkey/core/client';
import { type ActionsPath, actionsAt, watching } from './client/send.ts';

export { type ActionsPath, ClientFetchError, type SignInAuthorizationParams, type SignInOptions, type SignInResponse };

/** Options of `signOut`. */
export interface SignOutOptions extends ActionsPath {
  /** Where the visitor goes afterwards. Default: this page. */
  redirectTo?: string | undefined;
  /** `false`: stay on this page, whose loaders run again, see `watchSession`. Default: `true`. */
  redirect?: boolean | undefined;
  /** `false`: keep the session at the provider, although `logout.provider` is set. Default: end it, too. */
  provider?: boolean | undefined;
}

/**
 * Starts a sign-in at a provider, or signs in if the options hold credentials. Without a known provider, the browser
 * goes to the sign-in page.
 *
 * ```ts
 * const result = await signIn('credentials', { email, password, redirect: false });
 * ```
 *
 * @returns The result, with `redirect: false`, when the loaders have seen the new session; see `watchSession`.
 *   Otherwise the browser leaves the page.
 * @throws {ClientFetchError} If the server cannot be reached. If the providers cannot be loaded and `redirect` is not
 *   `false`, the browser goes to the error page instead.
 * @throws {TypeError} For passkeys: their `signIn` is in `@latchkey/tanstack-start/webauthn`.
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
 * @returns The result with the next address, with `redirect: false`, when the loaders have seen the change; see
 *   `watchSession`. Otherwise the browser leaves the page.
 * @throws {ClientFetchError} If the server cannot be reached or refuses. The session has not ended.
 */
export async function signOut({ basePath, ...options }: SignOutOptions = {}): Promise<SignInResponse | undefined> {
  const { redirect, redirectTo: callbackUrl, fields } = readOptions({ ...options });
  const { address, send } = actionsAt(basePath);
  const result = await send(`${address}/signout`, { ...fields, callbackUrl }, { redirect, trigger: 'signout' });
  if (result?.ok === false) throw new ClientFetchError(`${address}/signout`, result.status);
  return result;
}

/**
 * Runs the loaders again when the session has changed: by `signIn` and `signOut`, or elsewhere, for example in another
 * tab. Sends no request before a change. Call it in the root route.
 *
 * ```tsx
 * const router = useRouter();
 * useEffect(() => watchSession(() => router.invalidate()), [router]);
 * ```
 *
 * @param invalidate Runs the loaders.
 * @returns A function that stops watching.
 */
export function watchSession(invalidate: () => unknown): () => void {
  let seen = readRevision();
  const look = (): unknown => {
    const revision = readRevision();
    if (revision === seen) return;
    seen = revision;
    return invalidate();
  };
  watching.add(look);
  const stop = listen(look, look, look);
  return () => {
    watching.delete(look);
    stop();
  };
}

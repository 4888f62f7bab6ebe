import {
  announce,
  ClientFetchError,
  leaveFor,
  type Outcome,
  type Posted,
  post,
  readOptions,
  type SignInAuthorizationParams,
  type SignInOptions,
  type SignInResponse,
  signInAt,
} from '@latchkey/core/client';
import type { DefaultSession, Session } from '@latchkey/core/types';
import { actionsAddress, getCsrfToken, isServer, orNull, requestSession } from './requests.ts';
import * as store from './store.ts';

/** A type that determines the session: of the session itself, or of the `auth` that `NextAuth` returns. */
export type SessionLike = DefaultSession | ((...args: never) => unknown);

/** The session that `callbacks.session` returns, by the type of `auth`: `SessionOf<typeof auth>`. */
export type SessionOf<T> = T extends DefaultSession ? T : NonNullable<Extract<Awaited<Result<T>>, DefaultSession>>;

/** The results of all overloads of a function. */
type Result<T> = T extends {
  (...args: never): infer A;
  (...args: never): infer B;
  (...args: never): infer C;
  (...args: never): infer D;
  (...args: never): infer E;
  (...args: never): infer F;
}
  ? A | B | C | D | E | F
  : never;

/** Options of `getSession`. */
export interface GetSessionParams {
  /** On a server: the headers of the visitor's request. Its cookie is sent. */
  headers?: { cookie?: string | undefined } | undefined;
  /** `false`: other tabs are not informed. Default: `true`. */
  broadcast?: boolean | undefined;
  /** Has no effect; for compatibility. */
  event?: string | undefined;
  /** Has no effect; for compatibility. */
  triggerEvent?: boolean | undefined;
}

/**
 * Requests the session. In the browser, components show the answer, too. On a server, pass the visitor's cookies, or
 * better use `auth()`, which needs no request.
 *
 * ```ts
 * const session = await getSession();
 * ```
 *
 * @returns `null` if the visitor is not signed in, or the request fails. The console has the reason.
 */
export async function getSession<S extends SessionLike = Session>(
  params: GetSessionParams = {},
): Promise<SessionOf<S> | null> {
  const { headers: { cookie } = {}, broadcast = true } = params;
  const session = await orNull(isServer ? requestSession(cookie ? { headers: { cookie } } : {}) : store.load());
  if (broadcast && !isServer) announce('getSession');
  return session as SessionOf<S> | null;
}

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
 * @throws {TypeError} For passkeys: their `signIn` is in `@latchkey/next/webauthn`.
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
  options?: SignInOptions,
  authorizationParams?: SignInAuthorizationParams,
): Promise<SignInResponse | undefined> {
  return signInAt({ address: actionsAddress(), send }, provider, options, authorizationParams);
}

/** Options of `signOut`. */
export interface SignOutParams<Redirect extends boolean = boolean> {
  /** Where the visitor goes afterwards. Default: this page. */
  redirectTo?: string | undefined;
  /** Name of `redirectTo` in Auth.js v5. `redirectTo` wins. @deprecated Use `redirectTo`. */
  callbackUrl?: string | undefined;
  /** `false`: stay on this page, whose components show the change. Default: `true`. */
  redirect?: Redirect | undefined;
  /** `false`: keep the session at the provider, although `logout.provider` is set. Default: end it, too. */
  provider?: boolean | undefined;
}

/** The result of `signOut` with `redirect: false`. */
export interface SignOutResponse {
  /** Where to go next. */
  url: string;
}

/**
 * Ends the session, in all tabs. With `logout.provider`, the next address leads to the provider, which ends its
 * session and leads back.
 *
 * ```ts
 * await signOut({ redirectTo: '/' });
 * ```
 *
 * @returns The next address, with `redirect: false`. Otherwise the browser leaves the page.
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
  const { redirect, redirectTo: callbackUrl } = readOptions({ ...options });
  const address = `${actionsAddress()}/signout`;
  const result = await send(address, { callbackUrl, provider: options.provider }, { redirect, trigger: 'signout' });
  if (result && !result.ok) throw new ClientFetchError(address, result.status);
  return result && { url: result.url ?? callbackUrl };
}

/**
 * Sends a form with the CSRF token. Then leaves the page, or returns the result when the session is up to date.
 *
 * @throws {ClientFetchError} If there is no usable answer.
 */
export async function send(
  address: string,
  fields: Record<string, unknown>,
  { redirect, trigger }: Outcome,
): Promise<SignInResponse | undefined> {
  const { result, target } = await store.change(() => postWithToken(address, fields), redirect);
  if (result.ok) announce(trigger);
  if (redirect) return void leaveFor(target);
  if (result.ok) await store.refresh();
  return result;
}

/** Tries again with the newer token, if another answer has replaced the token meanwhile. */
async function postWithToken(address: string, fields: Record<string, unknown>): Promise<Posted> {
  const attempt = async () => post(address, { ...fields, csrfToken: await getCsrfToken() });
  const posted = await attempt();
  return posted.result.error === 'MissingCSRF' ? attempt() : posted;
}

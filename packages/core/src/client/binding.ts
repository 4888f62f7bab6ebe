import { askFor, ClientFetchError, leaveFor, post, type SignInResponse } from './ask.ts';
import { type ClientBinding, type Outcome, readOptions } from './sign-in.ts';
import { announce } from './signals.ts';

/** Where the actions are, as an option of the functions of a binding. */
export interface ActionsPath {
  /** Path of the actions, from the root of the site. Default: `/auth`. */
  basePath?: string | undefined;
}

/**
 * Returns how forms are sent to the actions of a path, with the CSRF token.
 *
 * ```ts
 * await signInAt(clientBinding('/auth', () => router.invalidate()), 'github', { redirect: false });
 * ```
 *
 * @param address Address of the actions, without a trailing slash. Default: `/auth`.
 * @param reload As for {@link sendForm}.
 */
export function clientBinding(address: string = '/auth', reload?: () => unknown): ClientBinding {
  return {
    address,
    async send(action, fields, outcome) {
      const token = (await askFor(`${address}/csrf`)) as { csrfToken: string };
      return sendForm(action, { ...fields, ...token }, outcome, reload);
    },
  };
}

/**
 * Sends a form to an action, and informs other tabs. Then the browser leaves the page, or the result is returned. It is
 * for frameworks that check the origin of forms; the others use {@link clientBinding}.
 *
 * ```ts
 * await sendForm('/auth/signout', {}, { redirect: false, trigger: 'signout' }, () => router.invalidate());
 * ```
 *
 * @param reload Loads the data of the page again, before the result of a success is returned. Default: nothing.
 * @returns `undefined` if the browser leaves the page.
 * @throws {ClientFetchError} If there is no usable answer.
 */
export async function sendForm(
  action: string,
  fields: Record<string, unknown>,
  { redirect, trigger }: Outcome,
  reload?: () => unknown,
): Promise<SignInResponse | undefined> {
  const { result, target } = await post(action, fields);
  if (result.ok) announce(trigger);
  if (redirect) return void leaveFor(target);
  if (result.ok) await reload?.();
  return result;
}

/** Options of `signOut`. */
export interface SignOutOptions<Redirect extends boolean = boolean> {
  /** Where the visitor goes afterwards. Default: this page. */
  redirectTo?: string | undefined;
  /** `false`: return the result instead of going there. Default: `true`. */
  redirect?: Redirect | undefined;
  /** `false`: keep the session at the provider, although `logout.provider` is set. Default: end it, too. */
  provider?: boolean | undefined;
}

/**
 * Ends the session, in all tabs. With `logout.provider`, the next address is that of the provider, which ends its
 * session and leads back.
 *
 * ```ts
 * await signOutAt(clientBinding(), { redirectTo: '/' });
 * ```
 *
 * @returns The result, with the next address; `undefined` if the browser leaves the page.
 * @throws {ClientFetchError} If the server cannot be reached or refuses. The session has not ended.
 */
export async function signOutAt(
  { address, send }: ClientBinding,
  options: SignOutOptions = {},
): Promise<(SignInResponse & { url: string }) | undefined> {
  const { redirect, redirectTo: callbackUrl } = readOptions(options);
  const action = `${address}/signout`;
  const result = await send(action, { callbackUrl, provider: options.provider }, { redirect, trigger: 'signout' });
  if (result?.ok === false) throw new ClientFetchError(action, result.status);
  // A success has an address.
  return result as (SignInResponse & { url: string }) | undefined;
}

import { ClientFetchError, readOptions } from '@latchkey/core/client';
import { actionsAddress } from './addresses.ts';
import { send } from './send.ts';

/** What `signOut` takes. */
export interface SignOutParams<Redirect extends boolean = boolean> {
  /** Where the visitor goes afterwards. Default: this page. */
  redirectTo?: string | undefined;
  /** @deprecated use `redirectTo` */
  callbackUrl?: string | undefined;
  /** `false`: stay on this page, which shows that nobody is signed in. Default: `true`. */
  redirect?: Redirect | undefined;
}

/** What `signOut` tells with `redirect: false`. */
export interface SignOutResponse {
  /** Where to go next. */
  url: string;
}

/**
 * Ends the session, in all tabs.
 *
 * @returns With `redirect: false` where to go next; otherwise the page is left.
 * @throws {ClientFetchError} when the server cannot be reached or has refused: the session has not ended.
 */
export function signOut(options: SignOutParams<false> & { redirect: false }): Promise<SignOutResponse>;
export function signOut(options?: SignOutParams<true>): Promise<undefined>;
export function signOut(options?: SignOutParams): Promise<SignOutResponse | undefined>;
export async function signOut(options: SignOutParams = {}): Promise<SignOutResponse | undefined> {
  const { redirect, redirectTo: callbackUrl } = readOptions({ ...options });
  const address = `${actionsAddress()}/signout`;
  const result = await send(address, { callbackUrl }, { redirect, trigger: 'signout' });
  if (result && !result.ok) throw new ClientFetchError(address, result.status);
  return result && { url: result.url ?? callbackUrl };
}

import { announce, type Ending, leaveFor, type Posted, post, type SignInResponse } from '@latchkey/core/client';
import { getCsrfToken } from './requests.ts';
import * as store from './store.ts';

/**
 * Sends a form with our token, and ends as asked for: the page is left, or the session is up to date when the result is told.
 *
 * @throws {ClientFetchError} when there is no answer that can be understood.
 */
export async function send(
  address: string,
  fields: Record<string, unknown>,
  { redirect, trigger }: Ending,
): Promise<SignInResponse | undefined> {
  const { result, target } = await store.change(() => postWithToken(address, fields), redirect);
  if (result.ok) announce(trigger);
  if (redirect) return void leaveFor(target);
  if (result.ok) await store.refresh();
  return result;
}

/** An answer that was on its way may have brought another token: then the second attempt has the right one. */
async function postWithToken(address: string, fields: Record<string, unknown>): Promise<Posted> {
  const attempt = async () => post(address, { ...fields, csrfToken: await getCsrfToken() });
  const posted = await attempt();
  return posted.result.error === 'MissingCSRF' ? attempt() : posted;
}

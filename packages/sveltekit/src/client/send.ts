import { announce, type Ending, leaveFor, post, type SignInResponse } from '@latchkey/core/client';
import { reload } from './kit.ts';

/**
 * Sends a form, and ends as asked for: the page is left, or its `load` functions have seen the new session when the result is told. There
 * is no token: Kit looks where forms come from.
 *
 * @throws {ClientFetchError} when there is no answer that can be understood.
 */
export async function send(
  address: string,
  fields: Record<string, unknown>,
  { redirect, trigger }: Ending,
): Promise<SignInResponse | undefined> {
  const { result, target } = await post(address, fields);
  if (result.ok) announce(trigger);
  if (redirect) leaveFor(target);
  else if (result.ok) await reload();
  return redirect ? undefined : result;
}

import { announce, leaveFor, type Outcome, post, type SignInResponse } from '@latchkey/core/client';
import * as navigation from '$app/navigation';
import * as paths from '$app/paths';

/** The exports that are used: Kit 2 has `base`, Kit 3 has `resolve` and prefers `refreshAll`. */
type Kit = Partial<{
  base: string;
  resolve(path: string): string;
  invalidateAll(): Promise<void>;
  refreshAll(): Promise<void>;
}>;

// A copy, because bundlers refuse a name that one of the two versions does not export.
const { base, resolve, refreshAll, invalidateAll }: Kit = { ...paths, ...navigation };

/** Returns the address of the actions. In the browser only: while Kit renders, its paths are relative. */
export function actionsAddress(basePath = '/auth'): string {
  const root = base ?? resolve?.('/').replace(/\/?(#.*)?$/, '') ?? '';
  return basePath.startsWith(`${root}/`) && root ? basePath : root + basePath;
}

/** Runs the `load` functions again. */
export async function reload(): Promise<void> {
  await (refreshAll ?? invalidateAll)?.();
}

/**
 * Sends a form. Then leaves the page, or returns the result when the `load` functions have seen the new session. Kit
 * checks the origin of forms, so there is no CSRF token.
 *
 * @throws {ClientFetchError} If there is no usable answer.
 */
export async function send(
  address: string,
  fields: Record<string, unknown>,
  { redirect, trigger }: Outcome,
): Promise<SignInResponse | undefined> {
  const { result, target } = await post(address, fields);
  if (result.ok) announce(trigger);
  if (redirect) leaveFor(target);
  else if (result.ok) await reload();
  return redirect ? undefined : result;
}

import { type ClientBinding, sendForm } from '@latchkey/core/client';
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
function actionsAddress(basePath = '/auth'): string {
  const root = base ?? resolve?.('/').replace(/\/?(#.*)?$/, '') ?? '';
  return basePath.startsWith(`${root}/`) && root ? basePath : root + basePath;
}

/** Runs the `load` functions again. */
export async function reload(): Promise<void> {
  await (refreshAll ?? invalidateAll)?.();
}

/**
 * Returns how forms are sent to the actions. With `redirect: false`, the result comes when the `load` functions have
 * seen the new session. Kit checks the origin of forms, so there is no CSRF token.
 */
export function actionsAt(basePath: string | undefined): ClientBinding {
  return {
    address: actionsAddress(basePath),
    send: (action, fields, outcome) => sendForm(action, fields, outcome, reload),
  };
}

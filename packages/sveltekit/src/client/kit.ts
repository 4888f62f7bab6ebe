import * as navigation from '$app/navigation';
import * as paths from '$app/paths';

/** What there is of the modules: Kit 2 has `base`, Kit 3 has `resolve` and prefers `refreshAll`. */
type Kit = Partial<{
  base: string;
  resolve(path: string): string;
  invalidateAll(): Promise<void>;
  refreshAll(): Promise<void>;
}>;

// A copy, because bundlers refuse a name that one of the two does not export.
const { base, resolve, refreshAll, invalidateAll }: Kit = { ...paths, ...navigation };

/** Address of our actions, without a trailing slash. In the browser only: while Kit renders, its paths are relative. */
export function actionsAddress(basePath = '/auth'): string {
  const root = base ?? resolve?.('/').replace(/\/?(#.*)?$/, '') ?? '';
  return basePath.startsWith(`${root}/`) && root ? basePath : root + basePath;
}

/** Has the `load` functions look at the session again. */
export async function reload(): Promise<void> {
  await (refreshAll ?? invalidateAll)?.();
}

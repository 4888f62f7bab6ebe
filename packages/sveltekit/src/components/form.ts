import * as paths from '$app/paths';
import type { ActionOptions } from './props.ts';

/** What there is of the module: `base` in Kit 2, `resolve` in Kit 3. */
type KitPaths = Partial<{ base: string; resolve(path: string): string }>;

/** Address of a page of the application, below Kit's base path. */
export function pageAddress(page: string): string {
  const path = `/${page.replace(/^\/+/, '')}`;
  // A copy, because bundlers refuse a name that one of the two does not export.
  const { base, resolve } = { ...paths } as KitPaths;
  return base === undefined ? (resolve?.(path) ?? path) : base + path;
}

/** Where to go afterwards. Kit 3's `resolve()` gives paths relative to the page with the form, not to that with the action. */
export function targetOf(options: ActionOptions | undefined, page: Pick<URL, 'href'>): string | undefined {
  const target = fieldOf(options, 'redirectTo');
  if (!target?.startsWith('.')) return target;
  const { pathname, search, hash } = new URL(target, page.href);
  return pathname + search + hash;
}

/** A member of the options as a form's field has it. */
export function fieldOf(options: ActionOptions | undefined, name: 'redirect' | 'redirectTo'): string | undefined {
  const value = options instanceof FormData ? options.get(name) : options?.[name];
  return value === undefined || value === null ? undefined : String(value);
}

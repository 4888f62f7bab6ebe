import { AuthError } from '@latchkey/core/errors';
import * as paths from '$app/paths';

/** What there is of the module: `base` in Kit 2, `resolve` in Kit 3. */
type KitPaths = Partial<{ base: string; resolve(path: string): string }>;

// A copy, because bundlers refuse a name that one of the two does not export.
const { base, resolve } = { ...paths } as KitPaths;

// Kit 3 answers with a relative path while it answers a request, so it is asked when the module is loaded.
const root = base ?? resolve?.('/').replace(/\/$/, '');

/**
 * Kit's own base path: '' or with a leading and without a trailing slash.
 *
 * @throws {AuthError} when the module was loaded too late to know.
 */
export function kitBase(): string {
  if (root === undefined || root.startsWith('.')) {
    throw new AuthError(
      'SvelteKitAuth() was first called while a request was answered. Export `handle` from `src/hooks.server.ts`',
    );
  }
  return root;
}

import { type Env, processEnv } from '@latchkey/core/binding';
import { AuthError } from '@latchkey/core/errors';
import { VERSION } from '@sveltejs/kit';
import * as paths from '$app/paths';

/** The exports of `$app/paths` that are used: Kit 2 has `base`, Kit 3 has `resolve`. */
type KitPaths = Partial<{ base: string; resolve(path: string): string }>;

// A copy, because bundlers refuse a name that one of the two versions does not export.
const { base, resolve } = { ...paths } as KitPaths;

// Called when the module is loaded: while it answers a request, Kit 3 returns a relative path.
const root = base ?? resolve?.('/').replace(/\/$/, '');

/**
 * Returns Kit's own base path: '' or with a leading slash and without a trailing one.
 *
 * @throws {AuthError} If the module was loaded too late.
 */
export function kitBase(): string {
  if (root === undefined || root.startsWith('.')) {
    throw new AuthError(
      'SvelteKitAuth() was first called while a request was answered. Export `handle` from `src/hooks.server.ts`',
    );
  }
  return root;
}

/**
 * Returns the environment variables of the process, and with precedence the variables of Kit. In development, Kit has
 * read the `.env` files.
 *
 * @param given Variables that the application passed in the place of Kit's.
 */
export async function environment(given: Env | undefined): Promise<Env> {
  return { ...processEnv(), ...(given ?? (await kitEnv())) };
}

/**
 * Kit 2 provides all variables. The module throws if Kit is configured to provide declared variables only, as Kit 3
 * does. In development, Kit 3 also warns about the module, so it is not imported if the process has the variables.
 */
async function kitEnv(): Promise<Env> {
  if (Number.parseInt(VERSION, 10) >= 3 && processEnv().AUTH_SECRET) return {};
  try {
    return (await import('$env/dynamic/private')).env;
  } catch {
    return {};
  }
}

/** Returns whether Kit prerenders. Its own requests have no `Host` header, those of visitors have one. */
export async function isBuilding({ headers }: Request): Promise<boolean> {
  return !headers.has('host') && !headers.has('cookie') && isPrerendering();
}

/** Returns whether Kit builds the application. */
export async function isPrerendering(): Promise<boolean> {
  return (await import('$app/environment')).building;
}

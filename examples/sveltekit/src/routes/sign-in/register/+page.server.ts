import { resolve } from '$app/paths';

/** Returns the requested page, which the guard names in `callbackUrl`. */
export function load({ url }) {
  return { redirectTo: url.searchParams.get('callbackUrl') ?? new URL(resolve('/'), url).pathname };
}

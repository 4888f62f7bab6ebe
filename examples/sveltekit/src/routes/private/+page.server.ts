import { redirect } from '@sveltejs/kit';
import { resolve } from '$app/paths';

/** The guard is not in a layout, because SvelteKit does not run a layout's `load` again for each of its pages. */
export async function load({ locals, url }) {
  const session = await locals.auth();
  const target = new URLSearchParams({ callbackUrl: url.pathname + url.search });
  if (!session) redirect(303, `${resolve('/sign-in')}?${target}`);
  return { visitor: session.user?.name ?? session.user?.email };
}

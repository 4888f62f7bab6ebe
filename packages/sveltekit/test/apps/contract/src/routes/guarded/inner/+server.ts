import { error } from '@sveltejs/kit';
import { fallback as page } from '../+server.ts';

/** The hook guards this page, and the page itself. */
export async function GET(event) {
  if (!(await event.locals.auth())) error(401);
  return page(event);
}

import { base } from '../base.ts';

/** Every page shows the session. A protected page checks the session in its own `+page.server.ts`, see `private`. */
export async function load({ locals }) {
  return { session: await locals.auth(), inbox: process.env['INBOX_URL'], actions: `${base}/auth` };
}

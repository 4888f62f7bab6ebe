import { sessions } from '../../auth.ts';

export const prerender = true;

export async function load(event) {
  return { session: await event.locals.auth(), sessions: await sessions(event).list() };
}

import { redirect } from '@sveltejs/kit';
import { sequence } from '@sveltejs/kit/hooks';
import { handle as authentication } from './auth.ts';

/** The guard of the README. */
export const handle = sequence(authentication, async ({ event, resolve }) => {
  if (event.route.id?.startsWith('/guarded') && !(await event.locals.auth())) redirect(303, '/shop/signin');
  return resolve(event);
});

/** Kit's own would print every error that a test provokes. */
export const handleError = () => ({ message: 'broken' });

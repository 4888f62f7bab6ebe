import { type Handle, redirect } from '@sveltejs/kit';
import { sequence } from '@sveltejs/kit/hooks';
import { handle as authentication } from './auth';

const authorization: Handle = async ({ event, resolve }) => {
  if (event.url.pathname.startsWith('/admin') && !(await event.locals.auth())) redirect(303, '/signin');
  return resolve(event);
};

export const handle: Handle = sequence(authentication, authorization);

export const handleError = () => ({ message: 'broken' });

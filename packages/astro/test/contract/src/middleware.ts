import { defineMiddleware, sequence } from 'astro:middleware';
import { BINDING_HEADER } from '@latchkey/testing/binding-application';
import { middleware, requireSession } from './auth';

const application = defineMiddleware(async (context, next) => {
  if (context.request.headers.has('x-visit')) context.cookies.set('visited', 'yes', { path: '/' });
  const response = await next();
  response.headers.set(BINDING_HEADER, 'contract');
  return response;
});

/** The outer guard of `/guarded/inner`. */
const outerGuard = defineMiddleware(async (context, next) => {
  if (context.routePattern !== '/guarded/inner') return next();
  const session = await requireSession(context);
  return session instanceof Response ? session : next();
});

export const onRequest = sequence(application, middleware, outerGuard);

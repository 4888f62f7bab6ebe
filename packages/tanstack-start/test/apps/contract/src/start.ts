import { BINDING_HEADER } from '@latchkey/testing/binding-application';
import { createMiddleware, createStart } from '@tanstack/react-start';
import { setCookie, setResponseHeader } from '@tanstack/react-start/server';
import { handler, secondHandler } from './auth.server.ts';

const application = createMiddleware().server(async ({ request, next }) => {
  setResponseHeader(BINDING_HEADER, 'contract');
  if (request.headers.has('x-visit')) setCookie('visited', 'yes');
  try {
    return await next();
  } catch {
    return new Response('failed', { status: 500, headers: { 'x-error-handler': 'application' } });
  }
});
const session = createMiddleware().server(handler);
const second = createMiddleware().server(secondHandler);

// The suite tests the binding's own protection against forged requests, so Start's is off.
export const startInstance = createStart(() => ({ requestMiddleware: [application, session, second] }));

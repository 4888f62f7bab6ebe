import type { RouterMiddleware } from '@latchkey/react-router';
import { BINDING_HEADER } from '@latchkey/testing/binding-application';

/** The application's own middleware, before the binding's. */
export const application: RouterMiddleware = async ({ request }, next) => {
  const response = await next();
  const copy = new Response(response.body, response);
  copy.headers.set(BINDING_HEADER, 'contract');
  if (request.headers.has('x-visit')) copy.headers.append('set-cookie', 'visited=yes; Path=/');
  return copy;
};

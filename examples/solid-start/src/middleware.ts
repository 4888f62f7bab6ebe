import { createMiddleware } from '@solidjs/start/middleware';
import type { H3Event } from 'h3';
import { handler, requireSession } from './auth.ts';

/** Pages for signed-in visitors. A visitor without a session is sent to the sign-in page, and returns afterwards. */
const privatePages = /^\/private(\/|$)/i;

/** Only controls navigation: the server functions of these pages guard their data themselves. */
async function guardPages(event: H3Event): Promise<void> {
  if (privatePages.test(event.url.pathname)) await requireSession(event);
}

// `handler` answers below `/auth`, and renews the session on the responses of all routes.
export default createMiddleware([handler, guardPages]);

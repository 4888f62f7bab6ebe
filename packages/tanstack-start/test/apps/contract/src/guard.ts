import { createMiddleware } from '@tanstack/react-start';
import { requireSession } from './auth.server.ts';

/** The guard of pages, of routes and of server functions. */
export const guard = createMiddleware().server(async ({ next }) =>
  next({ context: { session: await requireSession() } }),
);

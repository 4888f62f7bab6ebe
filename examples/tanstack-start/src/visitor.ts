import { createMiddleware, createServerFn } from '@tanstack/react-start';
import { auth, requireSession } from './auth.server.ts';

/** The guard of routes and of server functions. */
export const signedIn = createMiddleware().server(async ({ next }) =>
  next({ context: { session: await requireSession() } }),
);

/** The data of the start page. */
export const readSession = createServerFn().handler(async () => {
  const session = await auth();
  return { name: session?.user?.name ?? session?.user?.email, json: JSON.stringify(session, null, 2) };
});

/** The data of the private page. Clients can call server functions themselves, so each has a guard of its own. */
export const readName = createServerFn()
  .middleware([signedIn])
  .handler(({ context: { session } }) => session?.user?.name ?? session?.user?.email);

/** The address of the inbox, which every page links to. */
export const inboxUrl = createServerFn().handler(() => process.env['INBOX_URL'] ?? '/inbox');

import { createFileRoute } from '@tanstack/react-router';
import { createMiddleware, createServerFn } from '@tanstack/react-start';
import { requireSession } from '../auth.server.ts';
import { guard } from '../guard.ts';

const own = createMiddleware().server(async ({ next }) => next({ context: { inner: await requireSession() } }));
const visitorName = createServerFn()
  .middleware([guard])
  .handler(({ context }) => String(context.session?.user?.name));

export const Route = createFileRoute('/guarded/inner')({
  server: { middleware: [own] },
  loader: () => visitorName(),
  component: () => <h1>{`Guarded page of ${Route.useLoaderData()}`}</h1>,
});

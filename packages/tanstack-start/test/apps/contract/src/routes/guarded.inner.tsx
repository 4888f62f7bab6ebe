import { createFileRoute } from '@tanstack/react-router';
import { createMiddleware } from '@tanstack/react-start';
import { requireSession } from '../auth.server.ts';
import { guardedName } from '../functions.ts';

const own = createMiddleware().server(async ({ next }) => next({ context: { inner: await requireSession() } }));
export const Route = createFileRoute('/guarded/inner')({
  server: { middleware: [own] },
  loader: () => guardedName(),
  component: () => <h1>{`Guarded page of ${Route.useLoaderData()}`}</h1>,
});

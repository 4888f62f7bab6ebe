import { createFileRoute, Outlet, useLocation } from '@tanstack/react-router';
import { guardedName } from '../functions.ts';
import { guard } from '../guard.ts';

export const Route = createFileRoute('/guarded')({
  server: { middleware: [guard] },
  loader: () => guardedName(),
  component: Page,
});

function Page() {
  const isInner = useLocation().pathname.includes('inner');
  return isInner ? <Outlet /> : <h1>{`Guarded page of ${Route.useLoaderData()}`}</h1>;
}

import { createFileRoute, Outlet, useLocation } from '@tanstack/react-router';
import { createServerFn } from '@tanstack/react-start';
import { guard } from '../guard.ts';

const visitorName = createServerFn()
  .middleware([guard])
  .handler(({ context }) => String(context.session?.user?.name));

export const Route = createFileRoute('/guarded')({
  server: { middleware: [guard] },
  loader: () => visitorName(),
  component: Page,
});

function Page() {
  const isInner = useLocation().pathname.includes('inner');
  return isInner ? <Outlet /> : <h1>{`Guarded page of ${Route.useLoaderData()}`}</h1>;
}

import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { requireSession } from '../auth.server.ts';

/** A page that is for all visitors, and asks with the guard nevertheless. */
export async function loader({ context }: LoaderFunctionArgs) {
  const session = await requireSession(context).catch(() => null);
  return { title: `Page of ${session?.user?.name ?? 'nobody'}` };
}

export default function OptionalPage() {
  return <h1>{useLoaderData<typeof loader>().title}</h1>;
}

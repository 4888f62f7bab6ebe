import * as client from '@latchkey/tanstack-start/client';
import { createFileRoute, Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { visitorName } from '../functions.ts';

/** The page of docs/frameworks/contract.md. */
export const Route = createFileRoute('/client')({ loader: () => visitorName(), component: Client });

function Client() {
  const router = useRouter();
  useEffect(() => {
    Object.assign(globalThis, { client });
    return client.watchSession(() => router.invalidate());
  }, [router]);
  return (
    <>
      <h1>{Route.useLoaderData()}</h1>
      <Link to="/guarded" search={{ chapter: 2 }}>
        guarded
      </Link>
    </>
  );
}

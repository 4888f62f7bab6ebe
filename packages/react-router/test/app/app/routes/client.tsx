import { signIn, signOut, watchSession } from '@latchkey/react-router/client';
import { useEffect } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { auth } from '../auth.server.ts';

export const loader = async ({ context }: LoaderFunctionArgs) => ({ name: (await auth(context))?.user?.name });

/** The page of docs/frameworks/contract.md. */
export default function ClientPage() {
  const { name } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  useEffect(() => watchSession(revalidate), [revalidate]);
  useEffect(() => void Object.assign(globalThis, { client: { signIn, signOut } }), []);
  return (
    <>
      <h1>{String(name)}</h1>
      <Link to="/guarded?chapter=2">guarded</Link>
    </>
  );
}

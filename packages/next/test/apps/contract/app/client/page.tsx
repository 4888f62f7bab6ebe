'use client';

import { SessionProvider, signIn, signOut, useSession } from '@latchkey/next/react';
import Link from 'next/link';
import { useEffect } from 'react';

/** The page of docs/frameworks/contract.md. */
export default function ClientPage() {
  return (
    <SessionProvider>
      <Visitor />
    </SessionProvider>
  );
}

function Visitor() {
  const { data } = useSession();
  useEffect(() => void Object.assign(globalThis, { client: { signIn, signOut } }), []);
  return (
    <>
      <h1>{String(data?.user?.name)}</h1>
      <Link href="/guarded?chapter=2">guarded</Link>
    </>
  );
}

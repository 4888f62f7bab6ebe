'use client';

import { useSession } from 'next-auth/react';

export default function UserCard() {
  const { data: session, status } = useSession();
  return (
    <p id="card">
      {status}: {session?.user?.name} ({session?.user?.role})
    </p>
  );
}

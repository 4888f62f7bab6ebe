'use client';

import { useSession } from '@latchkey/next/react';

/** Shows the name of the signed-in user, as the browser knows it. */
export function Visitor() {
  const { data, status } = useSession();
  return (
    <output id="visitor" data-status={status}>
      {status === 'loading' ? '…' : (data?.user?.name ?? data?.user?.email ?? 'Not signed in')}
    </output>
  );
}

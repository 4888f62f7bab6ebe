'use client';

import { useSession } from '@latchkey/next/react';

/** Who the browser takes the visitor for. */
export function Visitor() {
  const { data, status } = useSession();
  return (
    <output id="visitor" data-status={status}>
      {status === 'loading' ? '…' : (data?.user?.name ?? data?.user?.email ?? 'Nobody')}
    </output>
  );
}

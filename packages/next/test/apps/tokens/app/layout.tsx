import type { ReactNode } from 'react';
import { tokenOrCode } from '../auth.ts';

export default async function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <pre id="layout">{JSON.stringify(await tokenOrCode())}</pre>
        {children}
      </body>
    </html>
  );
}

import { SessionProvider } from '@latchkey/next/react';
import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import './style.css';
import { Visitor } from './visitor.tsx';

export const metadata: Metadata = { title: { default: 'Latchkey demo', template: '%s · Latchkey demo' } };

/** The frame of all pages. It does not read the session, so that static pages stay static. */
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <SessionProvider>
          <header>
            <Link href="/">Start</Link>
            <Link href="/private">Private page</Link>
            <Link href="/devices">Your devices</Link>
            <Visitor />
          </header>
          <main>{children}</main>
        </SessionProvider>
      </body>
    </html>
  );
}

import '@latchkey/core/style.css';
import '../../shared/app.css';
import { SessionProvider } from '@latchkey/next/react';
import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { auth } from '../auth.ts';
import { Visitor } from './visitor.tsx';

export const metadata: Metadata = { title: { default: 'Latchkey demo', template: '%s · Latchkey demo' } };

/** The frame of all pages. With the session of the server, the browser shows the visitor at once. */
export default async function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <SessionProvider session={await auth()}>
          <header className="site">
            <Link href="/" className="brand">
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <circle cx="8" cy="12" r="4.5" />
                <path d="M12.5 12H21m-3 0v3.5M15 12v2" />
              </svg>
              Latchkey demo
            </Link>
            <Link href="/private">Private page</Link>
            <Link href="/devices">Your devices</Link>
            {process.env['INBOX_URL'] && <a href={process.env['INBOX_URL']}>Inbox</a>}
            <Visitor />
          </header>
          <div className="page">{children}</div>
        </SessionProvider>
      </body>
    </html>
  );
}

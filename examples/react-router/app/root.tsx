import '@latchkey/core/style.css';
import '../../shared/app.css';
import { watchSession } from '@latchkey/react-router/client';
import { useEffect } from 'react';
import { Link, Links, Meta, Outlet, Scripts, ScrollRestoration, useRevalidator } from 'react-router';
import type { Route } from './+types/root.ts';
import { sessionMiddleware } from './auth.server.ts';

// Renews the session on the responses of all routes.
export const middleware = [sessionMiddleware];

export const loader = () => ({ inbox: process.env['INBOX_URL'] });

/** The frame of all pages. When the session changes in another tab, the loaders run again. */
export default function Root({ loaderData }: Route.ComponentProps) {
  const { revalidate } = useRevalidator();
  useEffect(() => watchSession(revalidate), [revalidate]);
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <Meta />
        <Links />
      </head>
      <body>
        <header className="site">
          <Link to="/" className="brand">
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <circle cx="8" cy="12" r="4.5" />
              <path d="M12.5 12H21m-3 0v3.5M15 12v2" />
            </svg>
            React Router example
          </Link>
          {loaderData.inbox && <a href={loaderData.inbox}>Inbox</a>}
        </header>
        <div className="page">
          <Outlet />
        </div>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

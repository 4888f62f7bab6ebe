import page from '@latchkey/core/style.css?url';
import { watchSession } from '@latchkey/tanstack-start/client';
import { createRootRoute, HeadContent, Link, Scripts, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import frame from '../../../shared/app.css?url';
import { inboxUrl } from '../visitor.ts';

export const Route = createRootRoute({
  loader: () => inboxUrl(),
  head: () => ({
    meta: [
      { charSet: 'utf-8' },
      { name: 'viewport', content: 'width=device-width' },
      { title: 'TanStack Start example' },
    ],
    links: [page, frame].map((href) => ({ rel: 'stylesheet', href })),
  }),
  notFoundComponent: () => <h1>This page does not exist</h1>,
  shellComponent: Shell,
});

/** The frame of all pages. When the session changes in another tab, the loaders run again. */
function Shell({ children }: { children: ReactNode }) {
  const router = useRouter();
  useEffect(() => watchSession(() => router.invalidate()), [router]);
  return (
    <html lang="en">
      <head>
        <HeadContent />
      </head>
      <body>
        <header className="site">
          <Link to="/" className="brand">
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <circle cx="8" cy="12" r="4.5" />
              <path d="M12.5 12H21m-3 0v3.5M15 12v2" />
            </svg>
            TanStack Start example
          </Link>
          <a href={Route.useLoaderData()}>Inbox</a>
        </header>
        <div className="page">{children}</div>
        <Scripts />
      </body>
    </html>
  );
}

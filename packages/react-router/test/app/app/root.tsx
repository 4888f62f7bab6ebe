import { Outlet, Scripts } from 'react-router';
import { application } from './application.server.ts';
import { second, sessionMiddleware } from './auth.server.ts';

export const middleware = [application, sessionMiddleware, ...(second ? [second.sessionMiddleware] : [])];

export default function Root() {
  return (
    <html lang="en">
      <body>
        <Outlet />
        <Scripts />
      </body>
    </html>
  );
}

export function ErrorBoundary() {
  return <p>failed</p>;
}

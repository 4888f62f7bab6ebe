import { ReactRouterAuth } from '@latchkey/react-router';
import { exampleConfig } from '../../shared/example-config.ts';

/** The configuration has the providers of all examples. Limits of attempts count the address that `server.ts` sets. */
export const { handler, sessionMiddleware, auth, required, requireSession, signOut, update } = ReactRouterAuth(
  exampleConfig('React Router'),
  process.env,
  { clientAddress: ({ request }) => request.headers.get('x-client-address') ?? undefined },
);

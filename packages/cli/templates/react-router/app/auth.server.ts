import { ReactRouterAuth } from '@latchkey/react-router';
import GitHub from '@latchkey/react-router/providers/github';
//#store import { adapter } from './store.server';

/** The secret and the client of each provider come from the environment; see `.env.example`. */
export const { handler, sessionMiddleware, auth, required, requireSession, signIn, signOut, update } = ReactRouterAuth({
  //#store adapter,
  providers: [GitHub],
});

import { TanStackAuth } from '@latchkey/tanstack-start';
import GitHub from '@latchkey/tanstack-start/providers/github';
//#store import { adapter } from './store.server';

/** The secret and the client of each provider come from the environment; see `.env.example`. */
export const { handler, auth, requireSession, signIn, signOut, update } = TanStackAuth({
  //#store adapter,
  providers: [GitHub],
});

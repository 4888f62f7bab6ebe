import { H3Auth } from '@latchkey/h3';
import GitHub from '@latchkey/h3/providers/github';
//#store import { adapter } from './store';

/** The secret and the client of each provider come from the environment; see `.env.example`. */
export const { handler, auth, requireSession, signIn, signOut, update } = H3Auth({
  //#store adapter,
  providers: [GitHub],
});

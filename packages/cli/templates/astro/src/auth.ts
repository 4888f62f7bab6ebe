import { AstroAuth } from '@latchkey/astro';
import GitHub from '@latchkey/astro/providers/github';
//#store import { adapter } from './store';

/** The secret and the client of each provider come from the environment; see `.env.example`. */
export const { handler, middleware, auth, requireSession, signIn, signOut, update } = AstroAuth({
  //#store adapter,
  providers: [GitHub],
});

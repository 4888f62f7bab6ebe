import NextAuth from '@latchkey/next';
import GitHub from '@latchkey/next/providers/github';
//#store import { adapter } from './store';

/** The secret and the client of each provider come from the environment; see `.env.example`. */
export const { handlers, auth, signIn, signOut } = NextAuth({
  //#store adapter,
  providers: [GitHub],
});

import { FastifyAuth } from '@latchkey/fastify';
import GitHub from '@latchkey/fastify/providers/github';
//#store import { adapter } from './store.ts';

/** The secret and the client of each provider come from the environment; see `.env.example`. */
export const { plugin, auth, required, requireSession, signIn, signOut, update } = FastifyAuth({
  //#store adapter,
  providers: [GitHub],
});

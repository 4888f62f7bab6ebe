import { getConnInfo } from '@hono/node-server/conninfo';
import { defineConfig, HonoAuth } from '@latchkey/hono';
import GitHub from '@latchkey/hono/providers/github';
//#store import { adapter } from './store.ts';

/** The secret and the client of each provider come from the environment; see `.env.example`. */
export const authConfig = defineConfig({
  //#store adapter,
  providers: [GitHub],
});

/** The visitor's address is needed to limit failed attempts. */
export const { handler, auth, required } = HonoAuth(authConfig, process.env, {
  clientAddress: (c) => getConnInfo(c).remote.address,
});

import { defineConfig } from '@latchkey/core';
import { ExpressAuth } from '@latchkey/express';
import GitHub from '@latchkey/express/providers/github';
//#store import { adapter } from './store.ts';

/** The secret and the client of each provider come from the environment; see `.env.example`. */
export const authConfig = defineConfig({
  //#store adapter,
  providers: [GitHub],
});

/** Answers the actions: sign-in, callback, session, sign-out. */
export const authHandler = ExpressAuth(authConfig);

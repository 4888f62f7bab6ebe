import { getConnInfo } from '@hono/node-server/conninfo';
import { Auth, defineConfig } from '@latchkey/core';
import { checkAtStart, readSession, serializeCookie, withEnv } from '@latchkey/core/binding';
import GitHub from '@latchkey/core/providers/github';
//#typed import type { Session } from '@latchkey/core/types';
//#typed import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
//#store import { adapter } from './store.ts';

/** The secret and the client of each provider come from the environment; see `.env.example`. */
export const authConfig = defineConfig({
  //#store adapter,
  providers: [GitHub],
});

// Logs mistakes of the configuration before the first visitor comes.
checkAtStart({ config: authConfig, env: () => process.env, basePath: '/auth' });

/** Answers below `/auth`. The client's address is needed to limit failed attempts. */
export function authHandler(c: Context) {
  const { config, call } = withEnv(authConfig, process.env);
  const clientAddress = getConnInfo(c).remote.address;
  return Auth(c.req.raw, config, { ...call, clientAddress });
}

/** Sets `session` for the handlers that follow: the session, or `null`. */
export const session = createMiddleware<{ Variables: { session: Session | null } }>(async (c, next) => {
  const read = await readSession(withEnv(authConfig, process.env), {
    origin: new URL(c.req.url).origin,
    cookie: c.req.header('cookie'),
    // A session that is due gets a new cookie.
    setCookie: (cookie) => c.header('set-cookie', serializeCookie(cookie), { append: true }),
    renew: 'when-due',
  });
  c.set('session', read);
  c.header('cache-control', 'private, no-store');
  await next();
});

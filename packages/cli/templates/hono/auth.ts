import { Auth, defineConfig } from '@latchkey/core';
import { readSession, withEnv } from '@latchkey/core/binding';
import GitHub from '@latchkey/core/providers/github';
//#store import { adapter } from './store.ts';

/** The secret and the client of each provider come from the environment; see `.env.example`. */
export const authConfig = defineConfig({
  //#store adapter,
  providers: [GitHub],
});

/** Answers the actions below `/auth`: sign-in, callback, session, sign-out. */
export function authHandler(request: Request) {
  const { config, call } = withEnv(authConfig, process.env);
  return Auth(request, config, call);
}

/** Returns the session of a request; `null` if the visitor is not signed in. */
export function sessionOf(request: Request) {
  const { origin } = new URL(request.url);
  const cookie = request.headers.get('cookie') ?? undefined;
  return readSession(withEnv(authConfig, process.env), { origin, cookie });
}

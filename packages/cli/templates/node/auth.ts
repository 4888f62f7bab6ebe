import { defineConfig } from '@latchkey/core';
import { answerNodeRequest, isRoute, originFrom, readSession, serializeCookie, withEnv } from '@latchkey/core/binding';
import GitHub from '@latchkey/core/providers/github';
//#typed import type { IncomingMessage, ServerResponse } from 'node:http';
//#store import { adapter } from './store.ts';

/** The secret and the client of each provider come from the environment; see `.env.example`. */
export const authConfig = defineConfig({
  //#store adapter,
  providers: [GitHub],
});

const basePath = '/auth';

/** Answers the actions below `/auth`. Returns `false` for all other requests. */
export async function answerAuth(request: IncomingMessage, response: ServerResponse) {
  const path = request.url ?? '/';
  if (!isRoute(path.replace(/\?.*/, ''), basePath, authConfig)) return false;
  const origin = originFrom('http', request.headers.host); // AUTH_URL takes precedence
  const clientAddress = request.socket.remoteAddress;
  const configured = withEnv(authConfig, process.env);
  await answerNodeRequest(request, response, configured, { origin, path, basePath, clientAddress });
  return true;
}

/** Returns the session of a request; `null` if the visitor is not signed in. */
export function sessionOf(request: IncomingMessage, response: ServerResponse) {
  return readSession(withEnv(authConfig, process.env), {
    origin: originFrom('http', request.headers.host),
    basePath,
    cookie: request.headers.cookie,
    setCookie: (cookie) => response.appendHeader('set-cookie', serializeCookie(cookie)),
    renew: 'when-due',
  });
}

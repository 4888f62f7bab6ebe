//#typed import type { IncomingMessage, ServerResponse } from 'node:http';
import { defineConfig } from '@latchkey/core';
import {
  answerNodeRequest,
  checkAtStart,
  isRoute,
  originFrom,
  readSession,
  serializeCookie,
  withEnv,
} from '@latchkey/core/binding';
import GitHub from '@latchkey/core/providers/github';
//#store import { adapter } from './store.ts';

/** The secret and the client of each provider come from the environment; see `.env.example`. */
export const authConfig = defineConfig({
  //#store adapter,
  providers: [GitHub],
});

const basePath = '/auth';

// Logs mistakes of the configuration before the first visitor comes.
checkAtStart({ config: authConfig, env: () => process.env, basePath });

/** The origin that the request names. `AUTH_URL` takes precedence over it. */
function originOf(request: IncomingMessage) {
  return originFrom('http', request.headers.host);
}

/** Answers a request for an endpoint below `/auth`. Returns `false` for all others. */
export async function answerAuth(request: IncomingMessage, response: ServerResponse) {
  const path = request.url ?? '/';
  if (!isRoute(path.replace(/\?.*/, ''), basePath, authConfig)) return false;
  const clientAddress = request.socket.remoteAddress;
  const url = { origin: originOf(request), path, basePath, clientAddress };
  await answerNodeRequest(request, response, withEnv(authConfig, process.env), url);
  return true;
}

/** Returns the session, or `null`. A session that is due gets a new cookie. */
export function sessionOf(request: IncomingMessage, response: ServerResponse) {
  response.setHeader('cache-control', 'private, no-store');
  return readSession(withEnv(authConfig, process.env), {
    origin: originOf(request),
    basePath,
    cookie: request.headers.cookie,
    setCookie: (cookie) => response.appendHeader('set-cookie', serializeCookie(cookie)),
    renew: 'when-due',
  });
}

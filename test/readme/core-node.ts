import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AuthConfig } from '@latchkey/core';
import { answerNodeRequest, isRoute, originFrom, readSession, serializeCookie, withEnv } from '@latchkey/core/binding';
import GitHub from '@latchkey/core/providers/github';

const configuration: AuthConfig = { providers: [GitHub] };
const basePath = '/auth';

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const configured = withEnv(configuration, process.env);
  const origin = originFrom('http', request.headers.host); // AUTH_URL comes before it
  const path = request.url ?? '/';
  if (isRoute(path.replace(/\?.*/, ''), basePath, configuration)) {
    const clientAddress = request.socket.remoteAddress;
    return answerNodeRequest(request, response, configured, { origin, path, basePath, clientAddress });
  }
  const session = await readSession(configured, {
    origin,
    basePath,
    cookie: request.headers.cookie,
    setCookie: (cookie) => response.appendHeader('set-cookie', serializeCookie(cookie)),
    renew: 'when-due',
  });
  response.setHeader('cache-control', 'private, no-store');
  response.end(session ? `Hello ${session.user?.name}` : 'Open /auth/signin to sign in.');
}

export const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error);
    response.writeHead(500).end();
  });
});

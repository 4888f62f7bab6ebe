import type { IncomingMessage, ServerResponse } from 'node:http';
import { visitAt } from './parts/site.ts';
import { sessionAnswer } from './session-jwt.ts';

/** `GET session` behind Express: neither `Request` nor `Response` is made. */
export function sessionHandler(
  secrets: readonly string[],
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const { originalUrl = '', protocol } = request as IncomingMessage & { originalUrl?: string; protocol: string };
    const url = `${protocol}://${request.headers.host}${originalUrl}`;
    const visited = visitAt(url, request.headers.cookie ?? null, secrets);
    if (visited?.path !== '/session') {
      response.writeHead(400).end();
      return;
    }
    const { headers, body } = sessionAnswer(visited, secrets);
    response.writeHead(200, [...headers, ['content-length', String(Buffer.byteLength(body))]].flat());
    response.end(body);
  };
}

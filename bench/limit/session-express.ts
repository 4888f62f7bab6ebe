import type { IncomingMessage, ServerResponse } from 'node:http';
import { visitAt } from './parts/site.ts';
import { sessionAnswer } from './session-jwt.ts';

/** Valid values of the `Host` header. */
const HOST = /^[\w.-]+(:\d+)?$/;

/** `GET session` behind Express, without `Request` and `Response`. */
export function sessionHandler(
  secrets: readonly string[],
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const { originalUrl = '', protocol } = request as IncomingMessage & { originalUrl?: string; protocol: string };
    const { host = '', cookie = null } = request.headers;
    const isAsked = request.method === 'GET' && HOST.test(host);
    const visited = isAsked ? visitAt(`${protocol}://${host}${originalUrl}`, cookie, secrets) : undefined;
    if (visited?.path !== '/session') {
      response.writeHead(400).end();
      return;
    }
    const { headers, body } = sessionAnswer(visited, secrets);
    // An object, because Express has set a header before: a list then takes Node 1.5 times as long.
    const lines: Record<string, string | string[]> = { 'content-length': String(Buffer.byteLength(body)) };
    const cookies: string[] = [];
    for (const [name, value] of headers) {
      if (name === 'set-cookie') cookies.push(value);
      else lines[name] = value;
    }
    lines['set-cookie'] = cookies;
    response.writeHead(200, lines);
    response.end(body);
  };
}

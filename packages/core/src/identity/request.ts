import type { Context } from '../context.ts';

/** The sign-in request for hooks, its fields as JSON whatever form they came in: the body itself has been read. */
export function requestWithFields({ url, incoming, body }: Context): Request {
  const headers = incoming.headers();
  headers.delete('content-length');
  headers.delete('transfer-encoding');
  headers.set('content-type', 'application/json');
  return new Request(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

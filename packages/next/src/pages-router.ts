import { mayBeShared, serializeCookie } from '@latchkey/core/binding';
import type { Session } from '@latchkey/core/types';
import type { ConfigSource } from './config.ts';
import { appendPrivately, type NodeHead } from './node-head.ts';
import { originOf } from './place.ts';
import { sessionFrom } from './session.ts';

/** What we need of a request of the Pages Router. */
export interface PagesRequest {
  readonly headers: Headers | Record<string, string | string[] | undefined>;
  readonly socket?: object | null | undefined;
}

/** What we need of a response of the Pages Router: that of an API route, also of one on the edge. */
export type PagesResponse = NodeHead | { readonly headers: Headers };

/** `auth(req, res)` and `auth(context)`: the session, extended where it is time for that. */
export async function authInPages(
  source: ConfigSource,
  request: PagesRequest,
  response: PagesResponse,
): Promise<Session | null> {
  const headers = headersOf(request);
  const encrypted = (request.socket as { encrypted?: unknown } | null | undefined)?.encrypted === true;
  return sessionFrom(source, request, (configured) => ({
    origin: originOf(configured, headers, encrypted ? 'https' : 'http'),
    cookie: headers.get('cookie') ?? undefined,
    allCookies: true,
    setCookie: (cookie) => append(response, serializeCookie(cookie)),
  }));
}

function append(response: PagesResponse, cookie: string): void {
  // Once the headers are sent this throws, and the next request extends the session.
  if ('appendHeader' in response) appendPrivately(response, cookie);
  else if (!mayBeShared(response.headers)) {
    const { headers } = response;
    headers.append('set-cookie', cookie);
    if (headers.get('cache-control') === null) headers.set('cache-control', 'private, no-store');
  }
}

/** HTTP/2 brings pseudo-headers, and may bring a `Cookie` header in pieces (RFC 9113 §8.2.3). */
function headersOf({ headers }: PagesRequest): Headers {
  if (headers instanceof Headers) return headers;
  const lines = Object.entries(headers).filter(([name, value]) => value !== undefined && !name.startsWith(':'));
  return new Headers(
    lines.map(([name, value]): [string, string] => [name, [value].flat().join(name === 'cookie' ? '; ' : ', ')]),
  );
}

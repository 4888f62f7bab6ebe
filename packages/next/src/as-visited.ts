import { NextRequest } from 'next/server.js';

/**
 * The request with the origin that the visitor knows. Next makes up the host of its requests' addresses: behind a proxy and in a
 * container it is that of the server.
 *
 * @param origin '' when nobody knows it.
 */
export function asVisited(request: NextRequest, origin: string): NextRequest {
  if (origin === '' || request.nextUrl.origin === origin) return request;
  const { protocol, hostname, port } = new URL(origin);
  // A copy keeps what Next knows of paths and languages; a new request does not.
  const nextUrl = Object.assign(request.nextUrl.clone(), { protocol, hostname, port });
  return Object.defineProperty(new NextRequest(nextUrl.href, request), 'nextUrl', { value: nextUrl });
}

/**
 * The answer with rewrites to the visitor's origin turned into rewrites to Next's own: else Next would ask itself over the network.
 */
export function asAsked(response: Response, request: NextRequest, visited: NextRequest): Response {
  const target = response.headers.get('x-middleware-rewrite');
  if (request === visited || target === null || !URL.canParse(target)) return response;
  const url = new URL(target);
  if (url.origin !== visited.nextUrl.origin) return response;
  response.headers.set('x-middleware-rewrite', request.nextUrl.origin + url.pathname + url.search);
  return response;
}

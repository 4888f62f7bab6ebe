import { mayBeShared, serializeCookie } from '@latchkey/core/binding';
import type { Cookie } from '@latchkey/core/types';

/** By this header Next's proxy tells pages, which it is about to render, of cookies that go to the browser with them. */
const FORWARDED = 'x-middleware-set-cookie';

/**
 * The answer with these cookies. No cache may keep it: it carries somebody's session. Where a handler has said that caches which many
 * share may, there are none, and the next answer brings them.
 */
export function withCookies(response: Response, cookies: readonly Cookie[]): Response {
  if (cookies.length === 0 || mayBeShared(response.headers)) return response;
  // A copy: the headers of some answers cannot be written to.
  const copy = new Response(response.body, response);
  const lines = cookies.map(serializeCookie);
  for (const line of lines) copy.headers.append('set-cookie', line);
  if (goesOn(response)) copy.headers.append(FORWARDED, lines.join(','));
  if (!copy.headers.has('cache-control')) copy.headers.set('cache-control', 'private, no-store');
  return copy;
}

function goesOn({ headers }: Response): boolean {
  return headers.has('x-middleware-next') || headers.has('x-middleware-rewrite');
}

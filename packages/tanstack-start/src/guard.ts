import type { Access, Visit } from '@latchkey/core/binding';
import { SessionRequired } from '@latchkey/core/errors';
import { redirectTo } from './response.ts';

/**
 * Decides whether the current request may pass a guard. If the router calls a server function, the visitor returns to
 * the page that has called it.
 */
export async function accessOf(visit: Visit): Promise<Access> {
  const isDataRequest = visit.request.header('x-tsr-serverfn') === 'true';
  const access = await visit.access({ isDataRequest });
  if (access.kind !== 'document-redirect') return access;
  const atPage = await visit.as({ ...visit.request, path: callingPage(visit) }).access({ isDataRequest });
  // On the sign-in page, a redirect would load the same page again.
  return atPage.kind === 'pass' ? { kind: 'refuse', error: new SessionRequired() } : atPage;
}

/** Redirects, or fails with status 401. */
export function refuse(access: Exclude<Access, { kind: 'pass' }>): never {
  if (access.kind !== 'refuse') redirectTo(access.url);
  throw new Response(access.error.message, { status: 401, headers: { 'content-type': 'text/plain;charset=utf-8' } });
}

/** Returns path and query of the page that has called a server function; `/` if it is of another site, or unknown. */
function callingPage({ request, origin }: Visit): string {
  const page = URL.parse(request.header('referer') ?? '');
  return page?.origin === origin ? page.pathname + page.search : '/';
}

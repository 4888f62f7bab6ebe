import type { Reply } from '../context.ts';
import { ErrorPageLoop } from '../errors.ts';
import type { Entered } from '../guards/admit.ts';
import { pageAddress } from './page-path.ts';

const PAGES: ReadonlySet<string> = new Set(['signin', 'signout', 'error', 'verify-request']);

/** The answer while the configuration is wrong. Visitors get a reference; in development the page tells what to mend. */
export async function configurationReply(
  entered: Entered,
  problems: readonly Error[],
  reference: string,
): Promise<Reply> {
  const { settings, action, incoming, url, origin, call } = entered;
  if (incoming.method !== 'GET' || !PAGES.has(action)) return { ...apiReply(reference), refused: true };
  const own = settings.pages.error;
  if (own && !call.development) {
    if (!leadsTo(own, url.searchParams.get('callbackUrl'), origin))
      return { redirect: pageAddress(origin, own, { error: 'Configuration', reference }), refused: true };
    await settings.logger.error(
      new ErrorPageLoop('`pages.error` leads to a page that needs a sign-in itself. Leave it open to everybody'),
    );
  }
  // All requests but those for a session load this file; few get a page of it.
  const { errorDetailPage } = await import('./error-detail.ts');
  return { ...(await errorDetailPage(entered, problems, reference)), refused: true };
}

/** Is the return address, a path or with our origin, the page itself? */
function leadsTo(page: string, callbackUrl: string | null, origin: string): boolean {
  return callbackUrl?.startsWith(page) === true || callbackUrl?.startsWith(origin + page) === true;
}

function apiReply(reference: string): Reply {
  return {
    status: 500,
    headers: { 'content-type': 'application/json', 'cache-control': 'private, no-store' },
    body: {
      message: `The server's sign-in configuration has a problem. Its log tells more under the reference ${reference}.`,
      reference,
    },
  };
}

import type { Context, Reply } from '../context.ts';
import { RateLimited } from '../errors.ts';
import { errorPage } from '../views/error.ts';
import { pageReply } from '../wire/page.ts';
import { isForCaller } from './failure.ts';
import { pageAddress } from './page-path.ts';
import { signInPage } from './signin-page.ts';
import { wantsUrl } from './wants-url.ts';

/**
 * The answer to one attempt too many: 429 with `Retry-After` in seconds (RFC 6585 §4). It is the same whether the credentials are right,
 * and whether there is such a user. Clients that ask where to go are told the sign-in page with its code; visitors see that page. Where
 * it is the application's own, they see one of ours that leads there.
 *
 * @throws {RateLimited} to callers who asked for raw replies.
 */
export async function tooMany(context: Context, error: RateLimited): Promise<Reply> {
  const retry = { 'retry-after': String(error.retryAfter) };
  if (isForCaller(context, error)) throw error;
  await context.settings.logger.error(error);
  const { origin, basePath, settings } = context;
  const params = { error: RateLimited.shown };
  const url = pageAddress(origin, settings.pages.signIn ?? `${basePath}/signin`, params);
  if (wantsUrl(context.incoming)) {
    const headers = { 'content-type': 'application/json', 'cache-control': 'private, no-store', ...retry };
    return { status: 429, headers, body: { url }, refused: true };
  }
  const page = await pageFor(context, params, url);
  return { ...page, status: 429, headers: { ...page.headers, ...retry } };
}

async function pageFor(context: Context, query: { error: string }, signInUrl: string): Promise<Reply> {
  const { settings, origin } = context;
  if (!settings.pages.signIn) return signInPage({ ...context, providerId: undefined, query });
  const { page } = errorPage({ theme: settings.theme, error: query.error, origin, signInUrl });
  const reply = await pageReply(page);
  // A redirect would take the status away.
  return { ...reply, headers: { ...reply.headers, refresh: `0; url=${new URL(signInUrl, origin).href}` } };
}

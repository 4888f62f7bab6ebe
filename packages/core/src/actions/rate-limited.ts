import { pageAddress } from '../config/paths.ts';
import type { Context, Reply } from '../context.ts';
import { RateLimited } from '../errors.ts';
import { lazily } from '../lazy.ts';
import type { Reservation } from '../rate-limit/reserve.ts';
import { failureParams, problemOf } from './failure-params.ts';
import { logFailure } from './log-failure.ts';
import { badRequest, isForCaller, wantsUrl } from './replies.ts';

const limits = lazily(() => import('../rate-limit/reserve.ts'));

/**
 * Reserves an attempt in the rate limit; `undefined` if the request cannot be counted.
 *
 * @throws {RateLimited} if there were too many attempts.
 */
export type Reserve = (counters: typeof import('../rate-limit/reserve.ts')) => Promise<Reservation | undefined>;

const unlimited: Reservation = { release: async () => undefined };

/**
 * Does work that is rate limited. The reply is 429 if there were too many attempts, and 400 if the request cannot be
 * counted. With `rateLimit: false` nothing is counted, and the limiter is not loaded.
 *
 * @param options.isAlwaysCounted The attempts are counted also with `rateLimit: false`. Default: `false`.
 */
export async function withRateLimit(
  context: Context,
  reserve: Reserve,
  work: (reservation: Reservation) => Promise<Reply>,
  { isAlwaysCounted = false }: { readonly isAlwaysCounted?: boolean } = {},
): Promise<Reply> {
  if (context.settings.config.rateLimit === false && !isAlwaysCounted) return work(unlimited);
  let reservation: Reservation | undefined;
  try {
    reservation = await reserve(await limits());
  } catch (error) {
    if (!(error instanceof RateLimited)) throw error;
    return tooManyReply(context, error);
  }
  return reservation ? work(reservation) : badRequest();
}

/**
 * The reply to one attempt too many: 429 with `Retry-After` in seconds (RFC 6585 §4). It does not depend on whether
 * the credentials are right or the user exists. A client that asks for the URL gets the sign-in page's URL with the
 * code.
 *
 * @throws {RateLimited} in raw mode.
 */
export async function tooManyReply(context: Context, error: RateLimited): Promise<Reply> {
  const retry = { 'retry-after': String(error.retryAfter) };
  const { origin, basePath, settings } = context;
  if (isForCaller(context, error)) throw error;
  await logFailure(context, error);
  const params = failureParams(context, error);
  const provider = params.provider ?? context.providerId;
  const url = pageAddress(origin, settings.pages.signIn ?? `${basePath}/signin`, { ...params, provider });
  if (wantsUrl(context.incoming)) {
    const headers = { 'content-type': 'application/json', 'cache-control': 'private, no-store', ...retry };
    return { status: 429, headers, body: { url }, refused: true };
  }
  const page = await rateLimitedPage(context, error, url);
  return { ...page, status: 429, headers: { ...page.headers, ...retry } };
}

/**
 * The page for a visitor who has made too many attempts: the page whose form was posted, or the sign-in page. If that
 * page is the application's own, the error page redirects there after it is shown, because an HTTP redirect would lose
 * the status 429.
 */
async function rateLimitedPage(context: Context, error: RateLimited, url: string): Promise<Reply> {
  if (!context.settings.pages.signIn) {
    const { failedPage } = await import('./signin-step.ts');
    return failedPage(context, problemOf(context, error));
  }
  const { refreshedErrorPage } = await import('./pages.ts');
  return refreshedErrorPage(context, RateLimited.shown, url);
}

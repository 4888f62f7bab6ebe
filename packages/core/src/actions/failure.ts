import { hasAccountPage } from '../config/account-page.ts';
import { untrustedHost } from '../config/check.ts';
import { pageAddress } from '../config/paths.ts';
import type { Settings } from '../config/settings.ts';
import { newReference } from '../config/start-report.ts';
import type { Reply, Route, RoutedRequest } from '../context.ts';
import {
  AuthError,
  BadRequest,
  ErrorPageLoop,
  errorOf,
  MissingCSRF,
  OAuthCallbackError,
  RateLimited,
  RecentSignInRequired,
  TooManyWays,
  UnknownAction,
} from '../errors.ts';
import { createContext, withCookies } from '../guards/create-context.ts';
import { showsDetails } from '../guards/details.ts';
import { isFromSite } from '../guards/origin.ts';
import type { Log } from '../log/logger.ts';
import { redact } from '../log/redact.ts';
import { type LoggedProblems, logProblems } from './check-configuration.ts';
import { failureParams, problemOf, shownCode } from './failure-params.ts';
import { logFailure } from './log-failure.ts';
import { badRequest, isForCaller, urlReply, wantsJson, wantsUrl } from './replies.ts';

/**
 * Returns the reply to a request that failed. The error is logged, unless the visitor has canceled. The visitor is
 * sent to a page that explains this kind of error; its URL has a stable code. If only the site's owner can correct the
 * error, the log has it under a reference that the visitor can report. In development the page shows the error itself.
 *
 * @throws {AuthError} the error itself, in raw mode.
 */
export async function failureReply(request: RoutedRequest, thrown: unknown): Promise<Reply> {
  const { settings, action, incoming } = request;
  if (isForCaller(request, thrown)) {
    settings.logger.error(thrown);
    throw thrown;
  }
  const error = errorOf(thrown);
  if (error instanceof BadRequest) return badRequest(error.status);
  const shown = shownCode(error);
  const isForOwner =
    shown === AuthError.shown ? !(error instanceof UnknownAction) : isClientRefused(error) && showsDetails(request);
  const reference = isForOwner ? newReference() : undefined;
  const logged = reference === undefined ? error : withReference(error, reference);
  await logFailure(request, logged);
  if (error instanceof UnknownAction) return unknownActionReply(request, error);
  if (action === 'session' && incoming.method === 'POST') {
    return { status: 400, headers: { 'content-type': 'application/json' }, body: null, refused: true };
  }
  if ((action === 'sessions' || action === 'account') && wantsJson(incoming)) return jsonReply(error, shown);
  const page = redirectTo(request, error, { ...failureParams(request, error), reference });
  if (wantsUrl(incoming)) return urlReply(page);
  if (reference !== undefined && showsDetails(request)) return errorDetailReply(request, [logged], reference);
  return isForBuiltInPage(request, error) ? replyInPlace(request, error) : page;
}

/**
 * Was the form of a built-in page posted, to which the visitor would be sent now? The form of another site can name the
 * page, too. That request has no cookies, so the page would replace those of the browser, with values of that site.
 */
function isForBuiltInPage(request: RoutedRequest, error: Error): boolean {
  const { page, settings } = request;
  if (page === undefined || settings.pages.signIn || !isFromSite(request)) return false;
  return error instanceof AuthError && error.kind === 'signIn';
}

/** The page whose form has failed. Values that the visitor has typed stay, without a cookie or a query parameter. */
async function replyInPlace(request: RoutedRequest, error: Error): Promise<Reply> {
  const { failedPage } = await import('./signin-step.ts');
  // The request's own cookies that remove spent values are added to each failure.
  const context = await createContext({ ...request, spentCookies: [] });
  return withCookies(context, await failedPage(context, problemOf(context, error)));
}

/** The reply to a script that asks for JSON: the stable code, and how to go on. */
function jsonReply(error: Error, shown: string): Reply {
  const headers = { 'content-type': 'application/json', 'cache-control': 'private, no-store' };
  if (error instanceof RateLimited) {
    const retry = { 'retry-after': String(error.retryAfter) };
    return { status: 429, headers: { ...headers, ...retry }, body: { error: shown }, refused: true };
  }
  const signInUrl = error instanceof RecentSignInRequired ? error.signInUrl : undefined;
  const status = shown === AuthError.shown ? 500 : 400;
  return { status, headers, body: { error: shown, signInUrl }, refused: true };
}

/** Has the provider refused the client? In production the visitor reads that the sign-in was refused. */
function isClientRefused(error: Error): boolean {
  return error instanceof OAuthCallbackError && error.cause?.['variable'] !== undefined;
}

/** A request before its action is known. */
type UnroutedRequest = Pick<RoutedRequest, 'incoming' | 'settings' | 'call'>;

/** The reply to a request that cannot be read. Nearly always the client has sent a bad request. */
export async function unreadableReply(request: UnroutedRequest, error: unknown): Promise<Reply> {
  const { logger } = request.settings;
  if (error instanceof AuthError && !(error instanceof UnknownAction)) {
    logger.error(error);
    return SEE_LOG;
  }
  const { method } = request.incoming;
  logger.debug('http', 'bad request', () => redact({ reason: errorOf(error).message, method }));
  if (error instanceof UnknownAction) return unknownActionReply(request, error);
  return badRequest(error instanceof BadRequest ? error.status : 400);
}

/** A visitor who opens a path gets a page, other clients get JSON. */
async function unknownActionReply(request: UnroutedRequest, error: UnknownAction): Promise<Reply> {
  const { incoming } = request;
  const isVisit = incoming.method === 'GET' && incoming.header('accept')?.includes('text/html') === true;
  return isVisit ? (await import('./pages.ts')).unknownActionPage(request, error) : badRequest();
}

/** The reply in place of one that cannot be written. */
export function unwritableReply(error: unknown, logger: Log): Reply {
  logger.error(
    new AuthError(
      'the reply cannot be written. Return plain data from `callbacks.session`, and use cookie options that RFC 6265 allows',
      { err: errorOf(error) },
    ),
  );
  return SEE_LOG;
}

const SEE_LOG: Reply = { status: 500, body: { message: "The server's log tells what is wrong." } };

/**
 * The reply while the configuration is wrong. Visitors get a reference; in development the page shows what is wrong.
 *
 * @param route How the request would be answered: with a page, or with JSON.
 */
export async function configurationReply(
  request: RoutedRequest,
  route: Route | undefined,
  logged: LoggedProblems,
): Promise<Reply> {
  const { settings, url, origin } = request;
  const { problems, reference } = logged;
  if (!route?.page) return apiReply(logged);
  const { error: errorPage } = settings.pages;
  if (errorPage && !showsDetails(request)) {
    if (!isSamePage(errorPage, url.searchParams.get('callbackUrl'), origin))
      return { redirect: pageAddress(origin, errorPage, { error: 'Configuration', reference }), refused: true };
    settings.logger.error(
      new ErrorPageLoop('`pages.error` leads to a page that itself requires a sign-in. Make that page public'),
    );
  }
  return errorDetailReply(request, problems, reference);
}

/**
 * The reply to a request that names a provider which cannot be used. The log has the problem since it was found.
 *
 * @throws {AuthError} the problem itself, in raw mode.
 */
export async function refusedProviderReply(request: RoutedRequest, logged: LoggedProblems): Promise<Reply> {
  const { action, incoming } = request;
  const { problems, reference } = logged;
  const [problem = new AuthError()] = problems;
  if (isForCaller(request, problem)) throw problem;
  if (action === 'webauthn-options') return apiReply(logged);
  const page = redirectTo(request, problem, { error: AuthError.shown, reference });
  if (wantsUrl(incoming)) return urlReply(page);
  return showsDetails(request) ? errorDetailReply(request, problems, reference) : page;
}

/** The references of the hosts that were logged, by configuration. Clients can send any number of hosts. */
const hosts = new WeakMap<Settings, Map<string, string>>();
const MOST_HOSTS = 5;

/** The reply to a request whose host is not trusted, although other hosts are. The first five hosts are logged. */
export async function untrustedHostReply(request: RoutedRequest, route: Route | undefined): Promise<Reply> {
  const { settings, url } = request;
  const known = hosts.get(settings) ?? new Map<string, string>();
  hosts.set(settings, known);
  const isNew = !known.has(url.host) && known.size < MOST_HOSTS;
  const before = known.get(url.host) ?? [...known.values()].at(-1);
  const reference = isNew || before === undefined ? newReference() : before;
  const problem = untrustedHost(url);
  if (isNew) {
    known.set(url.host, reference);
    logProblems(settings, [problem], reference);
  }
  return configurationReply(request, route, { problems: [problem], reference });
}

/** Does the return URL, a path or a URL on the origin, lead to this page? */
function isSamePage(page: string, callbackUrl: string | null, origin: string): boolean {
  return callbackUrl?.startsWith(page) === true || callbackUrl?.startsWith(origin + page) === true;
}

function apiReply({ problems, reference }: LoggedProblems): Reply {
  return {
    status: 500,
    headers: { 'content-type': 'application/json', 'cache-control': 'private, no-store' },
    body: {
      message: `The server's sign-in configuration has a problem. The server's log has the details under the reference ${reference}.`,
      reference,
    },
    problems,
    refused: true,
  };
}

/** The error page of an error that only the site's owner can correct; in development it shows the details. */
async function errorDetailReply(request: RoutedRequest, errors: readonly Error[], reference: string): Promise<Reply> {
  const { errorDetailPage } = await import('./pages.ts');
  return { ...(await errorDetailPage(request, errors, reference)), problems: errors, refused: true };
}

function withReference(error: Error, reference: string): AuthError {
  // An application may throw the same frozen error again and again.
  const own = error instanceof AuthError && !Object.isFrozen(error) ? error : new AuthError(error);
  own.cause = { ...own.cause, reference };
  return own;
}

function redirectTo(
  { settings, basePath, origin, action }: RoutedRequest,
  error: Error,
  params: Record<string, string | undefined>,
): Reply {
  if (error instanceof RecentSignInRequired && error.signInUrl) return { redirect: error.signInUrl, refused: true };
  const { signIn = `${basePath}/signin`, error: errorPage = `${basePath}/error` } = settings.pages;
  // On the page of the account, the visitor can remove a way to sign in.
  if (
    (action === 'account' && error instanceof MissingCSRF) ||
    (error instanceof TooManyWays && hasAccountPage(settings))
  ) {
    return { redirect: pageAddress(origin, settings.pages.account ?? `${basePath}/account`, params), refused: true };
  }
  const page = error instanceof AuthError && error.kind === 'signIn' ? signIn : errorPage;
  return { redirect: pageAddress(origin, page, params), refused: true };
}

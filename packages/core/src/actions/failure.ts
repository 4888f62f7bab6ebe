import { checkBasics, notForSessions, untrustedHost } from '../config/check.ts';
import { AUTHENTICATION_NOT_CHECKED, uncheckedAuthentication } from '../config/check-authentication.ts';
import { unknownOptionsWarning } from '../config/check-options.ts';
import { type ProviderProblem, providerFindings } from '../config/check-providers.ts';
import { pageAddress } from '../config/paths.ts';
import type { Settings } from '../config/settings.ts';
import { logProblem, newReference, startReportOf } from '../config/start-report.ts';
import { usableConfig } from '../config/usable-config.ts';
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
import type { Log, Warning } from '../log/logger.ts';
import { redact } from '../log/redact.ts';
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

/** Problems, and the reference under which the log has them. */
export interface LoggedProblems {
  readonly problems: readonly Error[];
  readonly reference: string;
}

/** The result of checking a configuration. */
export interface CheckResult extends LoggedProblems {
  /** Problems of the whole configuration: no request is carried out. Empty if nothing is wrong. */
  readonly problems: readonly Error[];
  /** Those of them that concern the reading of a session, too. */
  readonly ofSessions: readonly Error[];
  /** Everything that was found, also the problems of single providers. */
  readonly logged: readonly Error[];
  /** Problems of single providers, by id. The other providers work. */
  readonly ofProviders: ReadonlyMap<string, readonly Error[]>;
  /** All checks were made, also those that reading a session does not need. */
  readonly isComplete: boolean;
}

/** The request with which a configuration is checked. */
interface CheckRequest {
  /** If no check that concerns the reading of a session finds a problem, the others are left for later. */
  readonly isRead: boolean;
  readonly url: URL;
  /** The problems of the option `locale`. */
  readonly ofLocale: readonly AuthError[];
  readonly isDevelopment: boolean;
}

/** Checks a configuration, and logs what is wrong and what its owner should know. */
export function checkConfiguration(
  settings: Settings,
  { isRead, url, ofLocale, isDevelopment }: CheckRequest,
): CheckResult {
  const { config, checksNeeded, logger } = settings;
  const ofSessions = checkBasics(
    config,
    checksNeeded.filter((check) => !notForSessions.has(check)),
    url,
  );
  const started = startReportOf(config);
  const reference = started?.reference ?? newReference();
  const partial = { ofSessions: ofSessions.problems, ofProviders: new Map(), reference };
  if (isRead && ofSessions.problems.length === 0) {
    for (const warning of ofSessions.warnings) logger.warn(warning);
    return { ...partial, problems: [], logged: [], isComplete: false };
  }
  const others = checkBasics(
    config,
    checksNeeded.filter((check) => notForSessions.has(check)),
    url,
  );
  for (const warning of [...ofSessions.warnings, ...others.warnings]) logger.warn(warning);
  const unchecked = uncheckedAuthentication(usableConfig(config));
  if (unchecked.length > 0) logger.warn(AUTHENTICATION_NOT_CHECKED, `providers: ${unchecked.join(', ')}`);
  const unknown = isDevelopment ? unknownOptionsWarning(config) : undefined;
  if (unknown) logger.warn(unknown);
  const { general, scoped } = providerFindings(settings);
  const problems = [...ofSessions.problems, ...others.problems, ...ofLocale, ...general];
  const logged = [...problems, ...scoped.map(({ error }) => error)];
  const isNew = ({ message }: AuthError): boolean => !started?.messages.has(message);
  logProblems(settings, logged.filter(isNew), reference);
  const { strategy, basePath } = settings;
  logger.debug('config', 'the configuration was checked', () =>
    redact({ strategy, basePath, problems: logged.length }),
  );
  if (started && logged.length === 0) logger.warn(ENVIRONMENT_LATE);
  return { ...partial, problems, logged, ofProviders: byProvider(scoped), isComplete: true };
}

const ENVIRONMENT_LATE: Warning = {
  code: 'environment-late',
  words:
    'the problems that were logged at the start are gone, because the environment has changed since. Load it before the configuration is made.',
};

function logProblems({ logger }: Settings, problems: readonly AuthError[], reference: string): void {
  for (const problem of problems) logProblem(logger, problem, reference);
}

function byProvider(scoped: readonly ProviderProblem[]): ReadonlyMap<string, readonly Error[]> {
  const problems = new Map<string, Error[]>();
  for (const { ids, error } of scoped) {
    for (const id of ids) problems.set(id, [...(problems.get(id) ?? []), error]);
  }
  return problems;
}

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
  if (
    (action === 'account' && error instanceof MissingCSRF) ||
    (error instanceof TooManyWays && hasAccountPage(settings))
  ) {
    return { redirect: pageAddress(origin, settings.pages.account ?? `${basePath}/account`, params), refused: true };
  }
  const page = error instanceof AuthError && error.kind === 'signIn' ? signIn : errorPage;
  return { redirect: pageAddress(origin, page, params), refused: true };
}

/** On the page of the account, the visitor can remove a way to sign in. */
function hasAccountPage({ account, pages }: Settings): boolean {
  return account !== undefined && (account.page !== false || pages.account !== undefined);
}

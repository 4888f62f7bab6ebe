import { limits } from '../config/defaults.ts';
import { trimmedPath } from '../config/paths.ts';
import type { Settings } from '../config/settings.ts';
import type { CallOptions, Context, Fields, Incoming, Reply, RoutedRequest, Routes } from '../context.ts';
import { readFields } from '../entry/body.ts';
import { readRoute } from '../entry/route.ts';
import { UnknownAction } from '../errors.ts';
import { parseCookies } from '../wire/cookie.ts';
import { isMoving, sentName, withoutOtherNames } from '../wire/cookie-names.ts';
import { needsCsrfToken, readCsrfCookie } from './csrf.ts';
import { requestUrl } from './origin.ts';
import { resolveReturnTo } from './return-to.ts';

/**
 * Reads the path and the body of a request. The body of a GET is not read, although some clients send one.
 *
 * @throws {UnknownAction} if the path names no action, or the method is neither GET nor POST.
 * @throws {BadRequest} if the body cannot be read.
 */
export async function routeRequest(
  routes: Routes,
  incoming: Incoming,
  settings: Settings,
  call: CallOptions,
): Promise<RoutedRequest> {
  if (incoming.method !== 'GET' && incoming.method !== 'POST') {
    throw new UnknownAction('only GET and POST are supported');
  }
  const basePath = call.basePath === undefined ? settings.basePath : trimmedPath(call.basePath);
  const { url, origin } = requestUrl(incoming.url, call.origin);
  const { action, providerId, part } = readRoute(routes, url.pathname, basePath, settings.config);
  const limit = limits[routes[action]?.bodyLimit ?? 'body'];
  const { body, page } = withoutPage(incoming.method === 'GET' ? {} : await readFields(incoming, limit));
  const query = queryOf(url);
  const changes = { spentCookies: [], renewal: { cookies: [] } };
  return { incoming, settings, call, basePath, url, origin, query, action, providerId, part, body, page, ...changes };
}

/** Takes the hidden field of built-in pages out of the fields. The application's functions do not receive it. */
function withoutPage(fields: Fields): Pick<RoutedRequest, 'body' | 'page'> {
  if (!Object.hasOwn(fields, 'latchkeyPage')) return { body: fields, page: undefined };
  const { latchkeyPage, ...body } = fields;
  return { body, page: typeof latchkeyPage === 'string' ? latchkeyPage : undefined };
}

/** These actions start or finish something that is bound to the browser. */
const BOUND_ACTIONS: ReadonlySet<string> = new Set(['signin', 'callback', 'code', 'account', 'offer']);

/** Reads the cookies and the CSRF token, or makes a new token, and resolves the callback URL. */
export async function createContext(request: RoutedRequest): Promise<Context> {
  const { incoming, settings, call, action, query, body } = request;
  const now = call.now?.() ?? new Date();
  const cookieTable = settings.cookieTable(isSecure(request), now);
  const cookieHeader = incoming.header('cookie');
  const cookies = parseCookies(cookieHeader);
  const remembered = cookies[sentName(cookies, cookieTable.callbackUrl)];
  const callbackUrl = await resolveReturnTo(request, body.callbackUrl, query.callbackUrl, remembered);
  const needsToken = needsCsrfToken(request);
  const needsBrowser = needsToken || BOUND_ACTIONS.has(action);
  const browser = needsBrowser
    ? await readCsrfCookie(cookies, cookieHeader, cookieTable.csrfToken, settings)
    : undefined;
  const isRemembered = callbackUrl === remembered && !isMoving(cookies, cookieTable.callbackUrl);
  return {
    ...request,
    now,
    cookieTable,
    cookies,
    cookieHeader,
    csrfToken: needsToken ? browser?.token : undefined,
    // The cookie is in `cookiesToSet` already, so a sign-in must not set it again.
    browser: browser && needsToken ? { ...browser, cookie: undefined } : browser,
    callbackUrl,
    cookiesToSet: [
      ...(needsToken && browser?.cookie ? [browser.cookie] : []),
      ...(isRemembered ? [] : [{ ...cookieTable.callbackUrl, value: callbackUrl }]),
    ],
  };
}

/**
 * The reply with the cookies that {@link createContext} found missing, with those of {@link withDueCookies}, and with
 * those that remove old names.
 */
export function withCookies(context: Context, reply: Reply): Reply {
  const whole = withMissingCookies(context, withDueCookies(context, reply));
  if (!whole.cookies) return whole;
  const cookies = withoutOtherNames(context.cookies, context.cookieTable, whole.cookies);
  return cookies === whole.cookies ? whole : { ...whole, cookies };
}

function withMissingCookies({ cookiesToSet, call }: Context, reply: Reply): Reply {
  if (cookiesToSet.length === 0 || reply.refused || reply.bare || call.cookies === 'session') return reply;
  const own = reply.cookies ?? [];
  // A sign-in or sign-out has its own new CSRF token.
  const missing = cookiesToSet.filter(({ name }) => !own.some((cookie) => cookie.name === name));
  return { ...reply, cookies: [...missing, ...own] };
}

/** The reply with the cookies that remove spent values, and with a session token that the application has changed. */
export function withDueCookies({ spentCookies, renewal }: RoutedRequest, reply: Reply): Reply {
  const due = [...spentCookies, ...renewal.cookies, ...(renewal.tokens?.() ?? [])];
  return due.length === 0 ? reply : { ...reply, cookies: [...due, ...(reply.cookies ?? [])] };
}

/** Are cookies sent by https only? */
function isSecure({ settings, url }: RoutedRequest): boolean {
  return settings.config.useSecureCookies ?? url.protocol === 'https:';
}

/** The query parameters without inherited members; the last one wins if a name is repeated. */
function queryOf(url: URL): Record<string, string> {
  const query: Record<string, string> = Object.create(null);
  if (url.search === '') return query;
  url.searchParams.forEach((value, name) => {
    query[name] = value;
  });
  return query;
}

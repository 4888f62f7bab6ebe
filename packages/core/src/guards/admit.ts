import { chain } from '../chain.ts';
import { trimmedPath } from '../config/base-path.ts';
import { errorOf } from '../config/hooks.ts';
import { lazily } from '../config/lazy.ts';
import type { Settings } from '../config/settings.ts';
import type { CallOptions, Context, Fields, Incoming, Reply } from '../context.ts';
import { type Route, readRoute } from '../entry/route.ts';
import { AuthError } from '../errors/base.ts';
import { UnknownAction } from '../errors/session.ts';
import { skipCSRFCheck } from '../symbols.ts';
import type { Awaitable, Cookie } from '../types.ts';
import { parseCookies } from '../wire/cookie.ts';
import { type Csrf, readCsrf } from './csrf.ts';
import { type Place, placeOf } from './origin.ts';
import { returnTo } from './return-to.ts';

/** A request of which is known what it asks for and what it brings, before anything is judged. */
export interface Entered extends Route, Place {
  readonly incoming: Incoming;
  readonly settings: Settings;
  readonly call: CallOptions;
  readonly basePath: string;
  readonly body: Fields;
}

const fieldsReader = lazily(async () => {
  try {
    return (await import('../entry/body.ts')).readFields;
  } catch (error) {
    // No fault of the visitor's, who would be told that the request is a bad one.
    throw new AuthError('a part of the library could not be loaded. Start the process anew after an update', {
      err: errorOf(error),
    });
  }
});

/**
 * Reads address and body.
 *
 * @throws {UnknownAction} when there is no action at this address, or not by this method.
 * @throws {BadRequest} when the body cannot be read.
 */
export function enter(incoming: Incoming, settings: Settings, call: CallOptions): Awaitable<Entered> {
  if (incoming.method !== 'GET' && incoming.method !== 'POST') {
    throw new UnknownAction('only GET and POST are supported');
  }
  const basePath = call.basePath === undefined ? settings.basePath : trimmedPath(call.basePath);
  const place = placeOf(incoming.url, call.origin);
  const route = readRoute(place.url.pathname, basePath);
  const { url, origin } = place;
  const { action, providerId } = route;
  const entered = (body: Fields): Entered => ({
    incoming,
    settings,
    call,
    basePath,
    url,
    origin,
    action,
    providerId,
    body,
  });
  if (incoming.method === 'GET') return entered({});
  return chain(fieldsReader(), (readFields) => readFields(incoming).then(entered));
}

/** A request that may be acted on, and by what `verified.ts` can tell where it comes from. */
export interface Admitted {
  readonly context: Context;
  readonly csrf: Csrf | undefined;
  /** Nobody asks for a CSRF token. */
  readonly skipsCsrf: boolean;
}

/** Looks at what the request brings: cookies, CSRF token, return address. */
export function admit(entered: Entered): Awaitable<Admitted> {
  const { incoming, settings, call, origin, url, body } = entered;
  const { callbacks, logger } = settings;
  const cookieTable = settings.cookieTable(isSecure(entered));
  const cookies = parseCookies(incoming.header('cookie'));
  const query = queryOf(url);
  const skipsCsrf = call.skipCSRF === true || settings.config.skipCSRFCheck === skipCSRFCheck;
  const remembered = cookies[cookieTable.callbackUrl.name];
  const returning = returnTo({ origin, callbacks, logger }, body.callbackUrl, query.callbackUrl, remembered);
  const isRead = !skipsCsrf || entered.action === 'signin' || entered.action === 'callback';
  const reading = isRead ? readCsrf(cookies, cookieTable.csrfToken, settings) : undefined;
  return chain(reading, (csrf) =>
    chain(returning, (callbackUrl): Admitted => {
      const cookiesToSet: Cookie[] = csrf?.cookie && !skipsCsrf ? [csrf.cookie] : [];
      if (callbackUrl !== remembered) cookiesToSet.push({ ...cookieTable.callbackUrl, value: callbackUrl });
      const now = call.now?.() ?? new Date();
      const context: Context = {
        ...entered,
        now,
        cookieTable,
        cookies,
        query,
        csrfToken: skipsCsrf ? undefined : csrf?.token,
        browser: csrf && { token: csrf.token, cookie: skipsCsrf ? csrf.cookie : undefined },
        callbackUrl,
        cookiesToSet,
      };
      return { context, csrf, skipsCsrf };
    }),
  );
}

/** Do cookies go by https only? */
export function isSecure({ settings, url }: Entered): boolean {
  return settings.config.useSecureCookies ?? url.protocol === 'https:';
}

/** The query's parameters, without inherited members; the last of equal names. */
export function queryOf(url: URL): Record<string, string> {
  const query = Object.create(null) as Record<string, string>;
  if (url.search === '') return query;
  url.searchParams.forEach((value, name) => {
    query[name] = value;
  });
  return query;
}

/** The answer with the cookies that {@link admit} found missing. */
export function withCookies({ cookiesToSet, call }: Context, reply: Reply): Reply {
  if (cookiesToSet.length === 0 || reply.refused || reply.bare || call.sessionCookiesOnly) return reply;
  return { ...reply, cookies: [...cookiesToSet, ...(reply.cookies ?? [])] };
}

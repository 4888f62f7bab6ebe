import { trimmedPath } from '../config/base-path.ts';
import type { Settings } from '../config/settings.ts';
import type { CallOptions, Context, Fields, Incoming } from '../context.ts';
import { equal } from '../crypto/equal.ts';
import { readFields } from '../entry/body.ts';
import { type Route, readRoute } from '../entry/route.ts';
import { UnknownAction } from '../errors.ts';
import { skipCSRFCheck } from '../symbols.ts';
import type { Cookie } from '../types.ts';
import { parseCookies } from '../wire/cookie.ts';
import { comesFromUs, readCsrf } from './csrf.ts';
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

/**
 * Reads address and body.
 *
 * @throws {UnknownAction} when there is no action at this address, or not by this method.
 * @throws {BadRequest} when the body cannot be read.
 */
export async function enter(incoming: Incoming, settings: Settings, call: CallOptions): Promise<Entered> {
  if (incoming.method !== 'GET' && incoming.method !== 'POST') {
    throw new UnknownAction('only GET and POST are supported', { method: incoming.method });
  }
  const basePath = call.basePath === undefined ? settings.basePath : trimmedPath(call.basePath);
  const place = placeOf(incoming.url, call.origin);
  const route = readRoute(place.url.pathname, basePath);
  const body = incoming.method === 'POST' ? await readFields(incoming) : {};
  return { incoming, settings, call, basePath, body, ...place, ...route };
}

/** A request that may be acted on, and whether it proved where it comes from. */
export interface Admitted {
  readonly context: Context;
  /** The body carries the token of the browser's CSRF cookie, and the request does not come from another site. */
  readonly csrfVerified: boolean;
}

/** Looks at what the request brings: cookies, CSRF token, return address. */
export async function admit(entered: Entered): Promise<Admitted> {
  const { incoming, settings, call, origin, url, body } = entered;
  const secure = settings.config.useSecureCookies ?? url.protocol === 'https:';
  const cookieTable = settings.cookieTable(secure);
  const cookies = parseCookies(incoming.header('cookie'));
  const query: Record<string, string> = url.search === '' ? {} : Object.fromEntries(url.searchParams);
  const skipsCsrf = call.skipCSRF === true || settings.config.skipCSRFCheck === skipCSRFCheck;
  const csrf = skipsCsrf ? undefined : await readCsrf(cookies, cookieTable.csrfToken, settings);
  const remembered = cookies[cookieTable.callbackUrl.name];
  const callbackUrl = await returnTo(
    { origin, callbacks: settings.callbacks, logger: settings.logger },
    body.callbackUrl,
    query.callbackUrl,
    remembered,
  );
  const context: Context = {
    ...entered,
    now: call.now?.() ?? new Date(),
    cookieTable,
    cookies,
    query,
    csrfToken: csrf?.token,
    callbackUrl,
    cookiesToSet: [
      ...(csrf?.cookie ? [csrf.cookie] : []),
      ...(callbackUrl === remembered ? [] : [{ ...cookieTable.callbackUrl, value: callbackUrl } satisfies Cookie]),
    ],
  };
  return { context, csrfVerified: skipsCsrf || (csrf?.cookie === undefined && isVerified(entered, csrf?.token)) };
}

function isVerified({ body, incoming, origin }: Entered, token: string | undefined): boolean {
  if (token === undefined || typeof body.csrfToken !== 'string' || !equal(body.csrfToken, token)) return false;
  return comesFromUs({ site: incoming.header('sec-fetch-site'), from: incoming.header('origin'), origin });
}

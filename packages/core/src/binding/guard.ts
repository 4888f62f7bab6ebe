import type { EnvConfigured } from '../config/env.ts';
import { pagePath, withoutTrailingSlashes } from '../config/paths.ts';
import { SessionRequired } from '../errors.ts';
import type { Session } from '../types/session.ts';
import { isOwnAction, ownPagePath, withoutQuery } from './origin.ts';

/** The facts that decide whether a request may pass a guard. */
export interface AccessFacts {
  /** The configuration, with the values of the environment. */
  readonly configured: EnvConfigured;
  /** Path at which the actions are mounted. */
  readonly basePath: string;
  /** The session; `null` if the visitor is not signed in. */
  readonly session: Session | null;
  /** The HTTP method, in upper case. */
  readonly method: string;
  /** Path and query of the page, from the root of the site, as the router has matched it; '' if it is not known. */
  readonly path: string;
  /** Returns the value of a header. `name` is lower case. */
  header(name: string): string | null | undefined;
  /** The framework's own router asks for the data of a page, and no document is loaded. Default: `false`. */
  readonly isDataRequest?: boolean | undefined;
}

/**
 * The decision of a guard about a request.
 *
 * - `pass`: the request goes on. `session` is `null` on the sign-in page and for the actions.
 * - `redirect`: a redirect with status 302 to the sign-in page.
 * - `document-redirect`: the framework's router leaves for the sign-in page, and the browser loads it as a document.
 * - `refuse`: the error with status 401, as the framework throws errors.
 */
export type Access =
  | { readonly kind: 'pass'; readonly session: Session | null }
  | { readonly kind: 'redirect' | 'document-redirect'; readonly url: string }
  | { readonly kind: 'refuse'; readonly error: SessionRequired };

/**
 * Decides whether a request may pass a guard. Pure. The first of these rules that applies decides:
 *
 * | Condition | Result |
 * | --- | --- |
 * | A session is present | `pass` |
 * | The request is for the sign-in page, or for an action of this configuration | `pass`, with the session `null` |
 * | `GET` or `HEAD` with `Sec-Fetch-Mode: navigate`; without that header, `Accept: text/html` | `redirect` |
 * | The framework's router asks for the data of a page | `document-redirect` |
 * | Any other | `refuse` |
 *
 * The sign-in page is `pages.signIn`, or `<basePath>/signin`. The page of the request is its `callbackUrl`: a path
 * without an origin, so no host of the request is believed.
 *
 * ```ts
 * const facts = { configured, basePath: '/auth', session: null, method: 'GET', path: '/account', header };
 * decideAccess(facts);
 * // { kind: 'redirect', url: '/auth/signin?callbackUrl=%2Faccount' }
 * ```
 */
export function decideAccess(facts: AccessFacts): Access {
  const { session, path, isDataRequest } = facts;
  if (session || isOpenToAll(facts)) return { kind: 'pass', session };
  if (opensPage(facts)) return { kind: 'redirect', url: signInUrl(facts, path) };
  if (isDataRequest) return { kind: 'document-redirect', url: signInUrl(facts, path) };
  return { kind: 'refuse', error: new SessionRequired() };
}

/** Returns whether a request is for the sign-in page or an action. Otherwise visitors could not sign in. */
function isOpenToAll(facts: AccessFacts): boolean {
  const { configured, basePath } = facts;
  const pathname = withoutQuery(facts.path);
  // The binding does not know which path the router has found. It must not be taken for a sign-in page at `/`.
  if (pathname === '') return false;
  const page = ownPagePath(signInPage(facts), configured.call.origin);
  // Some frameworks add a slash to the path of each page.
  if (page !== undefined && withoutTrailingSlashes(page) === withoutTrailingSlashes(pathname)) return true;
  return isOwnAction(pathname, basePath, configured.config);
}

function signInPage({ configured, basePath }: Pick<AccessFacts, 'configured' | 'basePath'>): string {
  return configured.config.pages?.signIn ?? `${basePath}/signin`;
}

function signInUrl(facts: AccessFacts, path: string): string {
  // Two slashes, or a slash and a backslash, would name a host.
  return pagePath(signInPage(facts), { callbackUrl: path.replace(/^[/\\]*/, '/') });
}

/** Returns whether a browser opens a page. Browsers without `Sec-Fetch-Mode` are recognized by `Accept`. */
function opensPage({ method, header }: AccessFacts): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const mode = header('sec-fetch-mode') ?? undefined;
  return mode === undefined ? /\btext\/html\b/i.test(header('accept') ?? '') : mode === 'navigate';
}

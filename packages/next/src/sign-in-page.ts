import { ownPagePath } from '@latchkey/core/binding';
import type { NextRequest } from 'next/server.js';
import type { Configured } from './config.ts';
import { fromApplication, fromRoot } from './place.ts';

/** Is it the page to which a guard sends visitors? */
export function isSignInPage({ nextUrl }: NextRequest, configured: Configured): boolean {
  return isPageAt(signInPage(configured), nextUrl.pathname, configured);
}

/** The address of the sign-in page: the query of the request is kept, and `callbackUrl` says where the visitor wanted to go. */
export function signInAddress(request: NextRequest, configured: Configured): URL {
  const { nextUrl } = request;
  const page = new URL(signInPage(configured), nextUrl.origin);
  const target = page.origin === nextUrl.origin ? withinNext(nextUrl, page, configured) : page;
  for (const [name, value] of nextUrl.searchParams) target.searchParams.append(name, value);
  target.searchParams.set('callbackUrl', addressOf(nextUrl, configured));
  return target;
}

/**
 * Does this answer send visitors from one of the configured pages to that very page? Everywhere else the answer stands, even where it
 * never ends: visitors choose the query, and would pass by choosing one that looks like a return.
 */
export function leadsBack(response: Response, request: NextRequest, configured: Configured): boolean {
  const location = response.headers.get('location');
  const { origin, pathname, search } = request.nextUrl;
  if (location === null || !URL.canParse(location, origin) || !isOwnPage(request, configured)) return false;
  const target = new URL(location, origin);
  if (target.origin !== origin || !samePath(target.pathname, pathname, configured)) return false;
  // A page that is asked to come back to itself gets a longer address each time.
  const returns = [...target.searchParams.values()].filter(
    (value) => /^(\/|https?:)/.test(value) && URL.canParse(value, origin),
  );
  return (
    target.search === search || returns.some((value) => samePath(new URL(value, origin).pathname, pathname, configured))
  );
}

/** Is it a page for those who are not signed in? `newUser` is none. */
function isOwnPage({ nextUrl }: NextRequest, configured: Configured): boolean {
  const { signIn, signOut, error, verifyRequest } = configured.config.pages ?? {};
  return [signIn, signOut, error, verifyRequest].some(
    (page) => page !== undefined && isPageAt(page, nextUrl.pathname, configured),
  );
}

function isPageAt(page: string, pathname: string, configured: Configured): boolean {
  const path = ownPagePath(page, configured.call.origin);
  return path !== undefined && samePath(path, pathname, configured);
}

function signInPage({ config, basePath }: Configured): string {
  return config.pages?.signIn ?? `${basePath}/signin`;
}

/** Next puts its `basePath`, the language and the trailing slash back where it knows them. */
function withinNext(nextUrl: NextRequest['nextUrl'], page: URL, { application }: Configured): URL {
  const url = nextUrl.clone();
  url.pathname = nextUrl.basePath === '' ? page.pathname : fromApplication(application, page.pathname);
  url.search = page.search;
  return new URL(url.href);
}

/** The address as the visitor has asked for it: Next's route handlers do not see its `basePath`. */
function addressOf(nextUrl: NextRequest['nextUrl'], { application }: Configured): string {
  const url = new URL(nextUrl.href);
  url.pathname = fromRoot(application, url.pathname);
  return url.href;
}

function samePath(one: string, other: string, { application }: Configured): boolean {
  const [left, right] = [one, other].map((path) => fromApplication(application, path).replace(/\/+$/, ''));
  return left === right;
}

import { ownPagePath, withoutTrailingSlashes } from '@latchkey/core/binding';
import type { NextRequest } from 'next/server.js';
import type { Configured } from './config.ts';
import { fromApplication, fromRoot } from './paths.ts';

/** Returns whether a request is for the page to which the guard sends visitors. */
export function isSignInPage({ nextUrl }: NextRequest, configured: Configured): boolean {
  return isPageAt(signInPage(configured), nextUrl, configured);
}

/** Returns the address of the sign-in page, with the query of the request and its address as `callbackUrl`. */
export function signInAddress(request: NextRequest, configured: Configured): URL {
  const { nextUrl } = request;
  const page = new URL(signInPage(configured), nextUrl.origin);
  const target = page.origin === nextUrl.origin ? withNextSettings(nextUrl, page, configured) : page;
  for (const [name, value] of nextUrl.searchParams) target.searchParams.append(name, value);
  target.searchParams.set('callbackUrl', visitedAddress(nextUrl, configured));
  return target;
}

/**
 * Returns whether an answer redirects from one of the configured pages to the same page. For all other pages the answer
 * stays, even if the redirects never end. Visitors choose the query. They could otherwise pass with a query that looks
 * like a return.
 */
export function leadsBack(response: Response, request: NextRequest, configured: Configured): boolean {
  const location = response.headers.get('location');
  const { origin, search } = request.nextUrl;
  if (location === null || !URL.canParse(location, origin) || !isOwnPage(request, configured)) return false;
  const target = new URL(location, origin);
  if (target.origin !== origin || !isVisited(target.pathname, request.nextUrl, configured)) return false;
  // The address grows with each redirect if the page is its own return target.
  const returns = [...target.searchParams.values()].filter(
    (value) => /^(\/|https?:)/.test(value) && URL.canParse(value, origin),
  );
  return (
    target.search === search ||
    returns.some((value) => isVisited(new URL(value, origin).pathname, request.nextUrl, configured))
  );
}

/** Returns whether a page is for visitors who are not signed in. `newUser` is for signed-in users. */
function isOwnPage({ nextUrl }: NextRequest, configured: Configured): boolean {
  const { signIn, signOut, error, verifyRequest } = configured.config.pages ?? {};
  return [signIn, signOut, error, verifyRequest].some(
    (page) => page !== undefined && isPageAt(page, nextUrl, configured),
  );
}

function isPageAt(page: string, nextUrl: NextRequest['nextUrl'], configured: Configured): boolean {
  const path = ownPagePath(page, configured.call.origin);
  return path !== undefined && isVisited(path, nextUrl, configured);
}

function signInPage({ config, basePath }: Configured): string {
  return config.pages?.signIn ?? `${basePath}/signin`;
}

/** Next adds its `basePath`, the language and the trailing slash where it knows them. */
function withNextSettings(nextUrl: NextRequest['nextUrl'], page: URL, { application }: Configured): URL {
  const url = nextUrl.clone();
  url.pathname = nextUrl.basePath === '' ? page.pathname : fromApplication(application, page.pathname);
  url.search = page.search;
  return new URL(url.href);
}

/** Returns the address in the visitor's browser. Requests of route handlers lack Next's `basePath`. */
function visitedAddress(nextUrl: NextRequest['nextUrl'], { application }: Configured): string {
  const url = new URL(nextUrl.href);
  url.pathname = fromRoot(application, url.pathname);
  return url.href;
}

/**
 * Returns whether a path, with or without Next's `basePath`, is that of the request. The path of a request with a
 * `basePath` never contains it: below `/shop`, the page `/shop/shop/login` is not `/shop/login`.
 */
function isVisited(path: string, { basePath, pathname }: NextRequest['nextUrl'], { application }: Configured): boolean {
  const visited = basePath === '' ? fromRoot(application, pathname) : basePath + pathname;
  return withoutTrailingSlashes(fromRoot(application, path)) === withoutTrailingSlashes(visited);
}

import type { PagesOptions } from '../types/config.ts';
import type { PageLinks } from '../types/theme.ts';
import type { Optional } from '../types/user.ts';

/**
 * Normalizes a base path: '' for the root, otherwise with one leading slash and no trailing one. Two leading slashes
 * would name a host.
 *
 * ```ts
 * trimmedPath('auth/'); // '/auth'
 * ```
 */
export function trimmedPath(path: string): string {
  const inner = path.replace(/^\/+|\/+$/g, '');
  return inner && `/${inner}`;
}

/**
 * Normalizes the application's pages: each becomes a path from the root of the site, or stays an absolute URL. A page
 * `login` becomes `/login`, because browsers would resolve `login` against the page that redirects to it.
 *
 * @returns The same object if there is nothing to change.
 */
export function rootedPages(pages: Optional<PagesOptions> | undefined): Optional<PagesOptions> | undefined {
  const entries = Object.entries(pages ?? {});
  if (!entries.some(([, page]) => isRelative(page))) return pages;
  return Object.fromEntries(entries.map(([name, page]) => [name, isRelative(page) ? `/${page}` : page]));
}

/** Returns whether a page is neither a path from the root nor a URL with a scheme (RFC 3986 §3.1). */
function isRelative(page: unknown): boolean {
  return typeof page === 'string' && page !== '' && !/^(\/|[a-z][a-z\d+.-]*:)/i.test(page);
}

/** Returns whether a value is the address of a page: a path from the root, or an http or https URL. */
export function isPage(page: unknown): page is string {
  return typeof page === 'string' && (page.startsWith('/') || isWebAddress(page));
}

/** Pages that the built-in pages only link to. */
const links: ReadonlySet<string> = new Set<keyof PageLinks>(['signUp', 'forgotPassword', 'terms', 'privacy', 'help']);

/** Returns whether an option of `pages` is a link on the built-in pages. */
export function isPageLink(name: string): boolean {
  return links.has(name);
}

/** Returns whether a value fits an option of `pages`. A link must be a path of this site, or an https URL. */
export function isPageOf(name: string, page: unknown): page is string {
  if (!isPage(page)) return false;
  return !isPageLink(name) || isSitePath(page) || (/^https:/i.test(page) && isWebAddress(page));
}

/** Returns whether a text is an absolute http or https URL. */
export function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

/** Returns whether a value is a path of this site. Browsers read `//` and `/\\` as the beginning of a host. */
export function isSitePath(path: unknown): path is string {
  return typeof path === 'string' && path.startsWith('/') && URL.parse(path, SITE)?.origin === SITE;
}

/** Stands for the origin of the site. */
const SITE = 'https://latchkey.invalid';

/** Adds query parameters to a page's address; parameters that are `undefined` are left out. */
export function pagePath(page: string, params: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (given.length === 0) return page;
  return `${page}${page.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`;
}

/** The facts that the URL of the page after a request for a mail states. */
interface VerifyRequestParams {
  /** The page asks for the code of the mail. */
  readonly hasCode: boolean;
  /** A stable error code. */
  readonly error?: string | undefined;
}

/** Returns the URL of the page that follows a request for a mail. */
export function verifyRequestUrl(
  { origin, basePath }: { readonly origin: string; readonly basePath: string },
  provider: { readonly id: string },
  { hasCode, error }: VerifyRequestParams,
): string {
  const code = hasCode ? '1' : undefined;
  return pagePath(`${origin}${basePath}/verify-request`, { provider: provider.id, type: 'email', code, error });
}

/** Returns the URL at which a visitor signs in again, to change the account, and comes back to `callbackUrl`. */
export function signInAgainUrl(
  { origin, basePath }: { readonly origin: string; readonly basePath: string },
  callbackUrl: string,
): string {
  return pagePath(`${origin}${basePath}/account/sign-in`, { callbackUrl });
}

/** Adds query parameters as {@link pagePath} does, and the application's origin if the page is a path. */
export function pageAddress(
  origin: string,
  page: string,
  params: Readonly<Record<string, string | undefined>>,
): string {
  const path = pagePath(page, params);
  return path.startsWith('/') ? origin + path : path;
}

import type { SetCookie } from './set-cookie.ts';
import { isAddress, isLoopback } from './site.ts';

/** Largest name plus value that browsers keep, in bytes (RFC 6265bis §5.6). */
const COOKIE_LIMIT = 4096;

/** Why browsers would not keep a cookie. */
export type CookieRefusal =
  | 'control-character'
  | 'empty'
  | 'too-large'
  | 'foreign-domain'
  | 'insecure-origin'
  | 'samesite-none-without-secure'
  | 'secure-prefix'
  | 'host-prefix'
  | 'secure-cookie-in-the-way';

/** Where a `Set-Cookie` came from, as far as the rules ask. */
export interface CookieOrigin {
  readonly url: URL;
  /** Whether plain http on this machine counts as secure. */
  readonly trustLoopback: boolean;
}

/**
 * Would a browser keep this cookie (RFC 6265bis §5.7)? The rule which needs the jar, `secure-cookie-in-the-way`, is left to it.
 * Pure.
 *
 * @returns The reason of the refusal, or `null`.
 */
export function refusalOf(cookie: SetCookie, { url, trustLoopback }: CookieOrigin): CookieRefusal | null {
  const name = cookie.name.toLowerCase();
  // Browsers look at the value of a nameless cookie too: on the wire `=__Host-a=b` would pass for a prefixed cookie.
  const prefixed = (prefix: string): boolean =>
    name.startsWith(prefix) || (!name && cookie.value.toLowerCase().startsWith(prefix));
  if (hasControlCharacter(cookie.line)) return 'control-character';
  if (!cookie.name && !cookie.value) return 'empty';
  if (byteLength(cookie.name) + byteLength(cookie.value) > COOKIE_LIMIT) return 'too-large';
  if (cookie.domain !== undefined && !mayUseDomain(url.hostname, cookie.domain)) return 'foreign-domain';
  if (cookie.secure && !isSecure(url, trustLoopback)) return 'insecure-origin';
  if (cookie.sameSite === 'None' && !cookie.secure) return 'samesite-none-without-secure';
  if (prefixed('__secure-') && !(cookie.name && cookie.secure)) return 'secure-prefix';
  if (prefixed('__host-') && !(cookie.name && cookie.secure && cookie.domain === undefined && cookie.path === '/'))
    return 'host-prefix';
  return null;
}

/** Whether `Secure` cookies may travel to and from this address. */
export function isSecure(url: URL, trustLoopback: boolean): boolean {
  return url.protocol === 'https:' || (trustLoopback && isLoopback(url.hostname));
}

/** Whether a host is the domain or lies below it (RFC 6265bis §5.1.3). */
export function domainMatches(host: string, domain: string): boolean {
  return host === domain || (!isAddress(host) && host.endsWith(`.${domain}`));
}

/** Whether a request path lies in a cookie's path, at a path boundary (RFC 6265bis §5.1.4). */
export function pathMatches(requestPath: string, cookiePath: string): boolean {
  if (requestPath === cookiePath) return true;
  return requestPath.startsWith(cookiePath) && (cookiePath.endsWith('/') || requestPath[cookiePath.length] === '/');
}

/** The path a cookie without `Path` gets: the directory of the request (RFC 6265bis §5.1.4). */
export function defaultPath(pathname: string): string {
  return pathname.slice(0, pathname.lastIndexOf('/')) || '/';
}

/** A single label (`com`) is a public suffix unless it is the host itself (`localhost`). */
function mayUseDomain(host: string, domain: string): boolean {
  return host === domain || (domain.includes('.') && domainMatches(host, domain));
}

function hasControlCharacter(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  return /[\0-\x08\x0a-\x1f\x7f]/.test(text);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

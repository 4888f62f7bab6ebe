import { isAddress, isLoopback, type Site } from './request.ts';
import type { SameSite, SetCookie } from './set-cookie.ts';

/** A stored cookie. */
export interface StoredCookie {
  /** Name of the cookie, with its prefix. */
  readonly name: string;
  /** The value as the server sent it. */
  readonly value: string;
  /** The host that has set the cookie, or its `Domain` attribute; without a leading dot. */
  readonly domain: string;
  /** Whether the cookie is for `domain` only, not for its subdomains. */
  readonly hostOnly: boolean;
  /** The path below which the browser sends the cookie. */
  readonly path: string;
  /** When the cookie expires; absent for a session cookie. */
  readonly expires?: Date;
  /** Whether the browser sends the cookie only over https, and to localhost if it trusts that. */
  readonly secure: boolean;
  /** Whether scripts cannot read the cookie. */
  readonly httpOnly: boolean;
  /** Absent if the server did not set it; the cookie is then treated as `Lax`, as in Chromium. */
  readonly sameSite?: SameSite;
  /** When the cookie was first set. Among paths of equal length, older cookies are sent first. */
  readonly createdAt: Date;
}

/** A cookie that a browser refuses, with the reason. */
export interface RejectedCookie {
  /** The cookie, as its line was parsed. */
  readonly cookie: SetCookie;
  /** The page that tried to set the cookie. */
  readonly url: string;
  /** The rule that the cookie violates. */
  readonly reason: CookieRefusal;
}

/** The facts that decide which cookies a request carries. */
interface CookieRequest {
  readonly url: URL;
  readonly method: string;
  readonly site: Site;
  /** Whether the request is a top-level navigation: only those carry `Lax` cookies to another site. */
  readonly navigation: boolean;
}

/** Attributes for {@link CookieJar.set}. Default: a host-only session cookie with `Path=/` and `SameSite=Lax`. */
export interface CookieAttributes {
  /** The page that sets the cookie. Default: the browser's origin. */
  url?: string | URL;
  /** Sets the cookie for this domain and its subdomains. */
  domain?: string;
  /** The path below which the cookie is sent. Default: `/`. */
  path?: string;
  /** When the cookie expires. Default: at the end of the browser session. */
  expires?: Date;
  /** Whether the cookie is sent only over https. Default: `false`. */
  secure?: boolean;
  /** Whether scripts cannot read the cookie. Default: `false`. */
  httpOnly?: boolean;
  /** Whether requests from other sites carry the cookie. Default: `Lax`. */
  sameSite?: SameSite;
}

/** Options of {@link CookieJar}. */
interface CookieJarOptions {
  /** The default address of `set` and `get`. */
  url: URL;
  now: () => Date;
  /** Whether `Secure` cookies work over http on localhost and 127.0.0.1, as in Chromium. */
  trustLoopback: boolean;
}

/** Longest life of a cookie, in milliseconds: 400 days (RFC 6265bis §5.6.1). */
const LONGEST_LIFE = 400 * 24 * 60 * 60 * 1000;

/** The cookies of one browser (RFC 6265bis §5.7, §5.8). */
export class CookieJar {
  readonly #options: CookieJarOptions;
  #cookies: readonly StoredCookie[];

  constructor(options: CookieJarOptions, cookies: readonly StoredCookie[] = []) {
    this.#options = options;
    this.#cookies = cookies;
  }

  /** Returns the cookies of all hosts that have not expired, the oldest first. */
  all(): StoredCookie[] {
    const now = this.#options.now();
    this.#cookies = this.#cookies.filter(({ expires }) => !expires || expires > now);
    return [...this.#cookies];
  }

  /**
   * Returns the first cookie of this name that would be sent to `url`. Without `url` it returns the first for the
   * browser's own host, else for any host. Ignores `Secure` and `SameSite`.
   */
  get(name: string, { url }: { url?: string | URL } = {}): StoredCookie | undefined {
    const named = this.all().filter((cookie) => cookie.name === name);
    if (url === undefined) return named.find(({ domain }) => domain === this.#options.url.hostname) ?? named[0];
    const target = new URL(url, this.#options.url);
    return named.filter((cookie) => belongsTo(cookie, target)).sort(bySendingOrder)[0];
  }

  /** Returns whether the jar has a cookie of this name; see {@link CookieJar.get}. */
  has(name: string, where: { url?: string | URL } = {}): boolean {
    return this.get(name, where) !== undefined;
  }

  /** Stores a cookie without checks: for a cookie that an attacker or an older release of the application has set. */
  set(name: string, value: string, attributes: CookieAttributes = {}): StoredCookie {
    const { url = this.#options.url, domain, ...rest } = attributes;
    const host = new URL(url, this.#options.url).hostname;
    const cookie: StoredCookie = {
      path: '/',
      secure: false,
      httpOnly: false,
      sameSite: 'Lax',
      ...rest,
      name,
      value,
      domain: domain ?? host,
      hostOnly: domain === undefined,
      createdAt: this.#options.now(),
    };
    this.#put(cookie);
    return cookie;
  }

  /** Removes the cookies of this name, for all hosts or for `url`. Returns whether there were any. */
  delete(name: string, { url }: { url?: string | URL } = {}): boolean {
    const before = this.#cookies.length;
    const target = url === undefined ? undefined : new URL(url, this.#options.url);
    this.#cookies = this.#cookies.filter((cookie) => cookie.name !== name || (target && !belongsTo(cookie, target)));
    return this.#cookies.length < before;
  }

  /** Removes all cookies. */
  clear(): void {
    this.#cookies = [];
  }

  /** Removes the session cookies, as closing a browser does. */
  endSession(): void {
    this.#cookies = this.all().filter(({ expires }) => expires !== undefined);
  }

  /** Returns a copy of the jar. */
  clone(): CookieJar {
    return new CookieJar(this.#options, this.all());
  }

  /** Returns the `Cookie` header of a request; `undefined` if it carries no cookies (RFC 6265bis §5.8.3). */
  header(request: CookieRequest): string | undefined {
    const secure = isSecure(request.url, this.#options.trustLoopback);
    const sent = this.all()
      .filter(
        (cookie) => belongsTo(cookie, request.url) && (secure || !cookie.secure) && passesSameSite(cookie, request),
      )
      .sort(bySendingOrder);
    return sent.length ? sent.map(({ name, value }) => (name ? `${name}=${value}` : value)).join('; ') : undefined;
  }

  /** Stores the cookies of a response by the rules of browsers. Returns the refused ones (RFC 6265bis §5.7). */
  receive(setCookies: readonly SetCookie[], url: URL): RejectedCookie[] {
    return setCookies.flatMap((cookie) => {
      const reason =
        refusalOf(cookie, { url, trustLoopback: this.#options.trustLoopback }) ?? this.#refusalOfJar(cookie, url);
      if (reason) return [{ cookie, url: url.href, reason }];
      this.#put(this.#toStored(cookie, url));
      return [];
    });
  }

  /** An http page must not overwrite or shadow a `Secure` cookie (RFC 6265bis §5.7, step 16). */
  #refusalOfJar(cookie: SetCookie, url: URL): CookieRefusal | null {
    if (cookie.secure || isSecure(url, this.#options.trustLoopback)) return null;
    const domain = cookie.domain ?? url.hostname;
    const path = cookie.path ?? defaultPath(url.pathname);
    const covered = this.all().some(
      (old) =>
        old.secure &&
        old.name === cookie.name &&
        (domainMatches(old.domain, domain) || domainMatches(domain, old.domain)) &&
        pathMatches(path, old.path),
    );
    return covered ? 'secure-cookie-in-the-way' : null;
  }

  #toStored(cookie: SetCookie, url: URL): StoredCookie {
    const now = this.#options.now();
    const asked = cookie.maxAge === undefined ? cookie.expires?.getTime() : now.getTime() + cookie.maxAge * 1000;
    return {
      name: cookie.name,
      value: cookie.value,
      domain: cookie.domain ?? url.hostname,
      hostOnly: cookie.domain === undefined,
      path: cookie.path ?? defaultPath(url.pathname),
      // Limited on both sides: a `Date` cannot hold a `Max-Age` of twenty digits.
      ...(asked === undefined ? {} : { expires: new Date(Math.max(0, Math.min(asked, now.getTime() + LONGEST_LIFE))) }),
      secure: cookie.secure,
      httpOnly: cookie.httpOnly,
      ...(cookie.sameSite ? { sameSite: cookie.sameSite } : {}),
      createdAt: now,
    };
  }

  /** Replaces the cookie with the same name, domain and path, and keeps its creation time. */
  #put(cookie: StoredCookie): void {
    const at = this.#cookies.findIndex((old) => isSameSlot(old, cookie));
    const old = this.#cookies[at];
    this.#cookies = old ? this.#cookies.with(at, { ...cookie, createdAt: old.createdAt }) : [...this.#cookies, cookie];
  }
}

function isSameSlot(one: StoredCookie, other: StoredCookie): boolean {
  return (
    one.name === other.name && one.domain === other.domain && one.path === other.path && one.hostOnly === other.hostOnly
  );
}

function belongsTo(cookie: StoredCookie, url: URL): boolean {
  const hostFits = cookie.hostOnly ? url.hostname === cookie.domain : domainMatches(url.hostname, cookie.domain);
  return hostFits && pathMatches(url.pathname, cookie.path);
}

function passesSameSite({ sameSite = 'Lax' }: StoredCookie, { site, navigation, method }: CookieRequest): boolean {
  if (site !== 'cross-site' || sameSite === 'None') return true;
  return sameSite === 'Lax' && navigation && (method === 'GET' || method === 'HEAD');
}

/** Longer paths first, then older cookies (RFC 6265bis §5.8.3). `sort` is stable, so the order of arrival decides. */
function bySendingOrder(one: StoredCookie, other: StoredCookie): number {
  return other.path.length - one.path.length;
}

/** Largest sum of name and value in bytes (RFC 6265bis §5.6). */
const COOKIE_LIMIT = 4096;

/** The reason for which a browser refuses a cookie. */
type CookieRefusal =
  | 'control-character'
  | 'empty'
  | 'too-large'
  | 'foreign-domain'
  | 'insecure-origin'
  | 'samesite-none-without-secure'
  | 'secure-prefix'
  | 'host-prefix'
  | 'secure-cookie-in-the-way';

/** The source of a `Set-Cookie`. */
interface CookieOrigin {
  readonly url: URL;
  /** Whether plain http on this machine counts as secure. */
  readonly trustLoopback: boolean;
}

/**
 * Returns why a browser refuses a cookie (RFC 6265bis §5.7). The jar itself checks `secure-cookie-in-the-way`. Pure.
 *
 * @returns `null` if a browser keeps the cookie.
 */
export function refusalOf(cookie: SetCookie, { url, trustLoopback }: CookieOrigin): CookieRefusal | null {
  const name = cookie.name.toLowerCase();
  // Browsers also check the value of a nameless cookie: servers read `=__Host-a=b` as a prefixed cookie.
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

/** Returns whether `Secure` cookies are allowed for an address. */
export function isSecure(url: URL, trustLoopback: boolean): boolean {
  return url.protocol === 'https:' || (trustLoopback && isLoopback(url.hostname));
}

/** Returns whether a host is the domain or a subdomain (RFC 6265bis §5.1.3). */
function domainMatches(host: string, domain: string): boolean {
  return host === domain || (!isAddress(host) && host.endsWith(`.${domain}`));
}

/** Returns whether a request path matches a cookie's path (RFC 6265bis §5.1.4). */
function pathMatches(requestPath: string, cookiePath: string): boolean {
  if (requestPath === cookiePath) return true;
  return requestPath.startsWith(cookiePath) && (cookiePath.endsWith('/') || requestPath[cookiePath.length] === '/');
}

/** Returns the path of a cookie without `Path`: the directory of the request (RFC 6265bis §5.1.4). */
function defaultPath(pathname: string): string {
  return pathname.slice(0, pathname.lastIndexOf('/')) || '/';
}

/** A single label (`com`) is a public suffix unless it is the host itself (`localhost`). */
function mayUseDomain(host: string, domain: string): boolean {
  return host === domain || (domain.includes('.') && domainMatches(host, domain));
}

function hasControlCharacter(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters
  return /[\0-\x08\x0a-\x1f\x7f]/.test(text);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

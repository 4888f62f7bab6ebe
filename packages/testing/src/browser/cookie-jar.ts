import { type CookieRefusal, defaultPath, domainMatches, isSecure, pathMatches, refusalOf } from './cookie-rules.ts';
import type { SameSite, SetCookie } from './set-cookie.ts';
import type { Site } from './site.ts';

/** A cookie as the jar keeps it. */
export interface StoredCookie {
  readonly name: string;
  /** The value as it is on the wire. */
  readonly value: string;
  readonly domain: string;
  /** Whether the cookie is for exactly `domain`, not for hosts below it. */
  readonly hostOnly: boolean;
  readonly path: string;
  /** When it disappears; absent for a cookie that ends with the browser. */
  readonly expires?: Date;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  /** Absent when the server said nothing; it is then treated as `Lax`, as Chromium does. */
  readonly sameSite?: SameSite;
  readonly createdAt: Date;
}

/** A cookie that a browser would not keep, and why. */
export interface RejectedCookie {
  readonly cookie: SetCookie;
  readonly url: string;
  readonly reason: CookieRefusal;
}

/** What decides whether a cookie goes along with a request. */
export interface CookieRequest {
  readonly url: URL;
  readonly method: string;
  readonly site: Site;
  /** Whether the address bar changes: only such requests take `Lax` cookies to another site. */
  readonly navigation: boolean;
}

/** Attributes for {@link CookieJar.set}; what is left out is host-only, `Path=/`, `Lax`, for the session. */
export interface CookieAttributes {
  /** The page that sets it. Default: the browser's origin. */
  url?: string | URL;
  /** Makes the cookie one of this domain and all below it. */
  domain?: string;
  path?: string;
  expires?: Date;
  secure?: boolean;
  httpOnly?: boolean;
  sameSite?: SameSite;
}

/** Options of {@link CookieJar}. */
export interface CookieJarOptions {
  /** The address that `set` and `get` mean when they are not told another. */
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

  /** Every cookie that has not expired, for all hosts, oldest first. */
  all(): StoredCookie[] {
    const now = this.#options.now();
    this.#cookies = this.#cookies.filter(({ expires }) => !expires || expires > now);
    return [...this.#cookies];
  }

  /**
   * The cookie of that name: the one that would be sent first to `url`, or without `url` the first of that name for the
   * browser's own host, else for any host. `Secure` and `SameSite` do not matter here.
   */
  get(name: string, { url }: { url?: string | URL } = {}): StoredCookie | undefined {
    const named = this.all().filter((cookie) => cookie.name === name);
    if (url === undefined) return named.find(({ domain }) => domain === this.#options.url.hostname) ?? named[0];
    const target = new URL(url, this.#options.url);
    return named.filter((cookie) => belongsTo(cookie, target)).sort(bySendingOrder)[0];
  }

  /** Whether there is a cookie of that name; see {@link CookieJar.get}. */
  has(name: string, where: { url?: string | URL } = {}): boolean {
    return this.get(name, where) !== undefined;
  }

  /** Puts a cookie in without judging it: for a cookie that an attacker or an older release of the application has planted. */
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

  /** Removes the cookies of that name (for every host, or only those which `url` would be sent); tells whether there were any. */
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

  /** Closes the browser: cookies without an expiry are gone, the others stay. */
  endSession(): void {
    this.#cookies = this.all().filter(({ expires }) => expires !== undefined);
  }

  /** A jar with the same cookies and its own future. */
  clone(): CookieJar {
    return new CookieJar(this.#options, this.all());
  }

  /** The value of the `Cookie` header for a request, or `undefined` when no cookie goes along (RFC 6265bis §5.8.3). */
  header(request: CookieRequest): string | undefined {
    const secure = isSecure(request.url, this.#options.trustLoopback);
    const sent = this.all()
      .filter(
        (cookie) => belongsTo(cookie, request.url) && (secure || !cookie.secure) && passesSameSite(cookie, request),
      )
      .sort(bySendingOrder);
    return sent.length ? sent.map(({ name, value }) => (name ? `${name}=${value}` : value)).join('; ') : undefined;
  }

  /** Keeps what a response sets, by the rules of browsers; returns what was refused (RFC 6265bis §5.7). */
  receive(setCookies: readonly SetCookie[], url: URL): RejectedCookie[] {
    return setCookies.flatMap((cookie) => {
      const reason =
        refusalOf(cookie, { url, trustLoopback: this.#options.trustLoopback }) ?? this.#refusalOfJar(cookie, url);
      if (reason) return [{ cookie, url: url.href, reason }];
      this.#put(this.#toStored(cookie, url));
      return [];
    });
  }

  /** An http page may not lay a cookie over a `Secure` one (RFC 6265bis §5.7, step 16). */
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
      // Clamped on both sides: a `Date` cannot hold what a `Max-Age` of twenty digits asks for.
      ...(asked === undefined ? {} : { expires: new Date(Math.max(0, Math.min(asked, now.getTime() + LONGEST_LIFE))) }),
      secure: cookie.secure,
      httpOnly: cookie.httpOnly,
      ...(cookie.sameSite ? { sameSite: cookie.sameSite } : {}),
      createdAt: now,
    };
  }

  /** A cookie takes the place, and keeps the age, of the one with its name, domain and path. */
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

/** Longer paths first, then older cookies (RFC 6265bis §5.8.3); `sort` is stable, so age follows from the order of arrival. */
function bySendingOrder(one: StoredCookie, other: StoredCookie): number {
  return other.path.length - one.path.length;
}

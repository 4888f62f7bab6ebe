import {
  currentCookieHeader,
  type EnvConfigured,
  type Host,
  type OwnCookies,
  originFrom,
  ownCookies,
  pendingMail,
  readSession,
} from '@latchkey/core/binding';
import type { Cookie, MailStatus, Session } from '@latchkey/core/types';
import { redirect } from '@sveltejs/kit';
import type { KitCookieOptions, KitEvent } from './event.ts';

/** One request, with its configuration and its session. */
export class Visit {
  readonly configured: EnvConfigured;
  /** Path of the actions, with Kit's own base path. */
  readonly basePath: string;
  readonly #home: string;
  /** Names of the cookies that have been set on the answer. */
  readonly #cookieNames: Set<string> = new Set();
  /** Whether the application has asked for the session or the pending mail. */
  #isAsked = false;
  /** How many cookies have been set by calls that change the session. */
  #changes = 0;
  #session: Promise<Session | null> | undefined;
  /** Whether Kit has made the answer. From then on, it refuses cookies. */
  isAnswered = false;

  /** @param base Kit's own base path. */
  constructor(configured: EnvConfigured, base: string) {
    this.configured = configured;
    this.basePath = mountOf(configured.config.basePath ?? DEFAULT_PATH, base);
    this.#home = `${base}/`;
  }

  /** Returns the session. It is read once, and again after a call through {@link Visit.hostOf} has changed it. */
  session(event: KitEvent): Promise<Session | null> {
    this.#session ??= this.#read(event);
    return this.#session;
  }

  async #read(event: KitEvent): Promise<Session | null> {
    this.#isAsked = true;
    const changes = this.#changes;
    return readSession(this.configured, {
      origin: originOf(event),
      basePath: this.basePath,
      cookie: changes > 0 ? currentCookies(event) : (event.request.headers.get('cookie') ?? undefined),
      userAgent: event.request.headers.get('user-agent'),
      // A session that was read before a sign-out must not undo it.
      setCookie: (cookie) => changes === this.#changes && this.#setCookie(event, cookie),
      // A late answer could undo a sign-out in another tab, and Kit's preloading makes many.
      renew: 'when-due',
    });
  }

  /** The application has asked for values that depend on the visitor. */
  markPersonal(): void {
    this.#isAsked = true;
  }

  /**
   * Returns whether the answer may depend on the visitor. It may if the request has a session. A page may ask for it
   * when its headers have been sent, or by a request of its own, which is another visit.
   */
  isPersonal(event: KitEvent): boolean {
    if (this.#isAsked) return true;
    const { isPersonal } = this.#ownCookies(event);
    return event.cookies.getAll().some(({ name }) => isPersonal(name));
  }

  /** Returns whether this library sets a cookie of this name. Kit adds the cookies of a page's own requests. */
  hasSet(event: KitEvent, name: string): boolean {
    return this.#cookieNames.has(name) || this.#ownCookies(event).isOwn(name);
  }

  #ownCookies(event: KitEvent): OwnCookies {
    return ownCookies(this.configured, originOf(event));
  }

  /** Returns what a page shows of the mail that the browser has requested. */
  async pendingMail(event: KitEvent, provider?: string): Promise<MailStatus | null> {
    this.#isAsked = true;
    const visit = { origin: originOf(event), basePath: this.basePath, cookie: currentCookies(event) };
    return pendingMail(this.configured, visit, provider);
  }

  /** Returns the request as calls need it that may change the session. */
  hostOf(event: KitEvent): Host {
    const headers = new Headers(event.request.headers);
    headers.set('cookie', currentCookies(event));
    return {
      origin: originOf(event),
      basePath: this.basePath,
      headers,
      clientAddress: addressOf(event),
      hasClient: true,
      home: this.#home,
      // A link from another site may lead to a page whose `load` signs in. A form must be from this site.
      forms: ['GET', 'HEAD'].includes(event.request.method) ? 'host-checked' : 'same-origin',
      setCookie: this.isAnswered
        ? undefined
        : (cookie) => {
            this.#setCookie(event, cookie);
            this.#changes++;
            this.#session = undefined;
          },
      redirect: redirectTo,
    };
  }

  #setCookie({ cookies }: KitEvent, { name, value, options }: Cookie): void {
    // A member that is `undefined` would override Kit's default.
    const given = Object.fromEntries(Object.entries(options).filter(([, option]) => option !== undefined));
    cookies.set(name, value, { path: '/', ...given } as KitCookieOptions);
    this.#cookieNames.add(name);
  }
}

/** Path of the actions below Kit's base path, unless the configuration has another one. */
export const DEFAULT_PATH = '/auth';

/**
 * Returns the path of the actions. It lies below Kit's own base path, because Kit answers there only.
 *
 * @param basePath As configured, with or without Kit's own before it.
 * @param base Kit's own base path.
 */
export function mountOf(basePath: string, base: string): string {
  const inner = basePath.replace(/^\/+|\/+$/g, '');
  const path = inner && `/${inner}`;
  if (base === '' || path.startsWith(`${base}/`)) return path;
  // `AUTH_URL` may be the address of the application alone.
  return path === base ? `${base}${DEFAULT_PATH}` : `${base}${path}`;
}

/**
 * Returns the origin of the request; '' if its host is not one. In a remote function, `event.url` is that of the page
 * and must not be read.
 */
export function originOf({ request }: KitEvent): string {
  const { protocol, host } = new URL(request.url);
  return originFrom(protocol.slice(0, -1), host);
}

/** Returns the visitor's network address. Adapters without this information throw. */
export function addressOf(event: KitEvent): string | undefined {
  try {
    return event.getClientAddress();
  } catch {
    return undefined;
  }
}

/** Returns the cookies of the request with the changes of the answer. */
function currentCookies({ request, cookies }: KitEvent): string {
  return currentCookieHeader(request.headers.get('cookie') ?? undefined, cookies.getAll());
}

/** Kit 3 needs the third parameter for redirects to another site, for example a provider. Kit 2 ignores it. */
const kitRedirect = redirect as (status: number, location: string, options: { external: true }) => never;

function redirectTo(url: string): never {
  return kitRedirect(302, url, { external: true });
}

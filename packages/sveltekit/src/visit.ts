import { type EnvConfigured, type Host, readSession } from '@latchkey/core/binding';
import type { Cookie, Session } from '@latchkey/core/types';
import { redirect } from '@sveltejs/kit';
import type { KitCookieOptions, KitEvent } from './event.ts';

/** One request in the application's hands, and what we know of it already. */
export class Visit {
  readonly configured: EnvConfigured;
  readonly basePath: string;
  /** Names of the cookies that have been set with the answer. */
  readonly cookieNames: Set<string> = new Set();
  /** Has the application been given somebody's session? */
  showsSession = false;
  /** How many cookies have been set by calls that change who is signed in. */
  #changes = 0;
  #session: Promise<Session | null> | undefined;

  /** @param basePath Where we answer, Kit's own base path included. */
  constructor(configured: EnvConfigured, basePath: string) {
    this.configured = configured;
    this.basePath = basePath;
  }

  /** The session, read once until {@link Visit.hostOf} is asked to change it. */
  session(event: KitEvent): Promise<Session | null> {
    this.#session ??= this.#read(event);
    return this.#session;
  }

  async #read(event: KitEvent): Promise<Session | null> {
    const changes = this.#changes;
    const session = await readSession(this.configured, {
      origin: originOf(event),
      basePath: this.basePath,
      cookie: changes > 0 ? cookiesNow(event) : (event.request.headers.get('cookie') ?? undefined),
      // What was read before a sign-out must not undo it.
      setCookie: (cookie) => changes === this.#changes && this.#setCookie(event, cookie),
      // Nor must an answer that comes late, after one in another tab; preloaded pages make many (decisions/24).
      onlyWhenDue: true,
    });
    this.showsSession ||= session !== null;
    return session;
  }

  /** The request as the actions want it, for a call that may change who is signed in. */
  hostOf(event: KitEvent): Host {
    const visit = this;
    return {
      origin: originOf(event),
      basePath: this.basePath,
      headers: headersNow(event),
      get clientAddress() {
        return addressOf(event);
      },
      hasClient: true,
      // A page's `load` may sign in, and anybody may lead there; what is posted comes from a form, which has to be ours (decisions/26).
      sameOriginOnly: !['GET', 'HEAD'].includes(event.request.method),
      setCookie(cookie) {
        visit.#setCookie(event, cookie);
        visit.#changes++;
        visit.#session = undefined;
      },
      redirect: (url) => redirectTo(url),
    };
  }

  #setCookie(event: KitEvent, cookie: Cookie): void {
    setCookie(event, cookie);
    this.cookieNames.add(cookie.name);
  }
}

/** As the request says it: `event.url` is the page's where a remote function is called, and may not be read there. */
export function originOf({ request }: KitEvent): string {
  return new URL(request.url).origin;
}

/** The visitor's network address; adapters that do not know it throw. */
export function addressOf(event: KitEvent): string | undefined {
  try {
    return event.getClientAddress();
  } catch {
    return undefined;
  }
}

/** Cookies of the request, and over them those that have been set meanwhile. */
function cookiesNow({ cookies }: KitEvent): string {
  return cookies
    .getAll()
    .map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
    .join('; ');
}

function headersNow(event: KitEvent): Headers {
  const headers = new Headers(event.request.headers);
  headers.set('cookie', cookiesNow(event));
  return headers;
}

function setCookie({ cookies }: KitEvent, { name, value, options }: Cookie): void {
  // What is `undefined` would stand above Kit's own defaults.
  const given = Object.fromEntries(Object.entries(options).filter(([, option]) => option !== undefined));
  cookies.set(name, value, { path: '/', ...given } as KitCookieOptions);
}

/** Kit 3 asks for leave to go to another site, as providers are; Kit 2 knows no third argument. */
const go = redirect as (status: number, location: string, options: { external: true }) => never;

function redirectTo(url: string): never {
  return go(302, url, { external: true });
}

import { encode } from '@latchkey/core/jwt';
import type { Session } from '@latchkey/core/types';
import { check } from '../adapter-suite/expect.ts';
import { BINDING_PASSWORD, BINDING_SECRET } from '../binding-application.ts';
import { readPage } from '../browser/page.ts';
import { parseSetCookies } from '../browser/set-cookie.ts';
import { Browser, type Page, type SetCookie } from '../browser.ts';
import { exchange, type WireRequest } from './exchange.ts';

/** Name of the session cookie over http. */
export const SESSION = 'authjs.session-token';

/** The headers of a browser that opens a page. */
export const NAVIGATION = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' } as const;

/** A visitor who comes through a proxy, for example. */
interface VisitorOptions {
  /** The address that the visitor sees. Default: the server's. */
  readonly origin?: string | undefined;
  /** Headers that are added to each request, as a proxy does. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether the browser sends `Origin` and `Sec-Fetch-*`. Default: `true`. */
  readonly sendMetadata?: boolean | undefined;
}

/** A test application that listens. */
export class Site {
  /** The server's address. */
  readonly origin: string;
  /** The framework's own base path. */
  readonly base: string;
  /** Path of the actions. */
  readonly mount: string;

  constructor(origin: string, base: string, mount: string) {
    this.origin = origin;
    this.base = base;
    this.mount = mount;
  }

  /** Returns a browser without cookies. */
  visitor({ origin = this.origin, headers = {}, sendMetadata = true }: VisitorOptions = {}): Browser {
    const send = async (request: Request): Promise<Response> => {
      const { pathname, search } = new URL(request.url);
      const all = { accept: '*/*', ...Object.fromEntries(request.headers), ...headers };
      const body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined;
      return exchange({ origin: this.origin, target: pathname + search, method: request.method, headers: all, body });
    };
    return new Browser(send, { origin, sendMetadata });
  }

  /** Returns a browser of a visitor who has signed in with the password. */
  async signedIn(name = 'Ada', options: VisitorOptions = {}): Promise<Browser> {
    const browser = this.visitor(options);
    const page = await this.enter(browser, { name, password: BINDING_PASSWORD });
    check(
      startsSession(page),
      `the sign-in with the password set no session cookie: ${page.status} ${page.location ?? page.text().slice(0, 200)}`,
    );
    return browser;
  }

  /** Posts the form of the sign-in page. */
  async enter(browser: Browser, fields: Readonly<Record<string, unknown>>, options = {}): Promise<Page> {
    return browser.post(`${this.mount}/callback/credentials`, { ...(await this.csrf(browser)), ...fields }, options);
  }

  /** Returns the field with the token of a form; no field if the binding checks the origin of forms instead. */
  async csrf(browser: Browser): Promise<{ csrfToken?: string }> {
    const page = await browser.get(`${this.mount}/csrf`, { mode: 'cors', site: 'same-origin' });
    check([200, 404].includes(page.status), `GET ${this.mount}/csrf: expected status 200 or 404, got ${page.status}`);
    return page.status === 404 ? {} : page.json<{ csrfToken: string }>();
  }

  /** Reads the session at a route of the application. */
  async session(browser: Browser, path = '/session'): Promise<Session | null> {
    return sessionOn(await browser.get(this.base + path));
  }

  /** Sends one request with exactly these headers, and reads the answer. */
  async send(target: string, request: Omit<WireRequest, 'origin' | 'target'> = {}): Promise<Page> {
    const response = await this.stream(target, request);
    const sent = {
      method: request.method ?? 'GET',
      url: new URL(target, this.origin).href,
      headers: new Headers(request.headers),
      initiator: undefined,
      body: undefined,
    };
    return readPage(response, sent, parseSetCookies(response.headers));
  }

  /** The same, without reading the body. */
  stream(target: string, request: Omit<WireRequest, 'origin' | 'target'> = {}): Promise<Response> {
    return exchange({ origin: this.origin, target, ...request });
  }
}

/** Returns all cookies of a browser as a `Cookie` header, also those that `SameSite` holds back. */
export function cookiesOf(browser: Browser): string {
  return browser.cookies
    .all()
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ');
}

/** Returns the session in an answer of the application. */
export function sessionOn(page: Page): Session | null {
  check(page.status === 200, `GET ${page.url}: expected status 200, got ${page.status} ${page.text().slice(0, 200)}`);
  return page.json<Session | null>();
}

/** Returns the visitor's name; `null` without a session. */
export const nameIn = (session: Session | null): string | null => session?.user?.name ?? null;

/** Returns the cookies of the answer that start or renew a session. */
export function sessionCookies(page: Pick<Page, 'setCookies'>): readonly SetCookie[] {
  return page.setCookies.filter(({ name, value }) => isSessionCookie(name) && value !== '');
}

/** Returns whether the answer starts or renews a session. */
export const startsSession = (page: Pick<Page, 'setCookies'>): boolean => sessionCookies(page).length > 0;

/** Returns whether the answer removes the session cookie. */
export const clearsSession = ({ setCookies }: Pick<Page, 'setCookies'>): boolean =>
  setCookies.some(({ name, value }) => isSessionCookie(name) && value === '');

export const isSessionCookie = (name: string): boolean =>
  /^(__Secure-|__Host-)?authjs\.session-token(\.\d+)?$/.test(name);

/** Returns the value of a session cookie that the suite makes itself. */
export function sessionToken(
  claims: object,
  { maxAge = 3600, secret = BINDING_SECRET, salt = SESSION }: { maxAge?: number; secret?: string; salt?: string } = {},
): Promise<string> {
  return encode({ token: claims, secret, salt, maxAge });
}

/** Returns the `Cookie` header of a visitor. */
export async function sessionCookie(name = 'Ada'): Promise<string> {
  const email = `${name.toLowerCase()}@example.com`;
  return `${SESSION}=${await sessionToken({ name, email, sub: email })}`;
}

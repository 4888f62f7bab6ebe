import type { EnvConfigured } from '../config/env.ts';
import { settingsFor } from '../config/settings.ts';
import { CookiesNotWritable } from '../errors.ts';
import type { Cookie } from '../types/config.ts';
import type { MailStatus, Session } from '../types/session.ts';
import { parseCookies, serializeCookie } from '../wire/cookie.ts';
import { currentCookieHeader, withSetCookies } from './current-cookies.ts';
import { type Access, decideAccess } from './guard.ts';
import { ownCookies } from './own-cookies.ts';
import type { VisitCookies } from './renew.ts';
import {
  type AuthorizationParams,
  type Host,
  type SignedOut,
  type SignInOptions,
  type SignOutOptions,
  signIn,
  signOut,
  updateSession,
} from './server-call.ts';
import { pendingMail, readSession, type SessionVisit } from './session.ts';
import type { Visitor } from './sessions.ts';

/**
 * A request in progress, as the binding of a framework describes it. `webRequest` and `nodeRequest` have the members
 * that are the same for all frameworks of their kind.
 */
export interface VisitRequest
  extends Pick<Host, 'clientAddress' | 'hasClient' | 'home' | 'redirect'>,
    Pick<SessionVisit, 'cookies'> {
  /** Origin of the request; '' if it names none. The origin of `AUTH_URL` takes precedence. */
  readonly origin: string;
  /** Default: unknown. Then a request without an `Origin` header counts as `GET`. */
  readonly method?: string | undefined;
  /** Path and query, from the root of the site, as the router has matched it. Guards need it. Default: ''. */
  readonly path?: string | undefined;
  /** Path at which the actions are mounted. Default: as configured. */
  readonly basePath?: string | undefined;
  /** Returns the value of a header; repeated headers are joined. `name` is lower case. */
  header(name: string): string | undefined;
  /** Returns a copy of all headers. */
  headers(): Headers;
  /** Returns the cookies with the changes that the application has made so far. Default: those of the request. */
  readonly currentCookies?: (() => readonly { readonly name: string; readonly value: string }[]) | undefined;
  /**
   * When the session is renewed, if cookies can be set. `never`: it is only read, for example while a page is rendered.
   * `always` belongs to `GET session` alone. Default: `when-due`.
   */
  readonly renew?: 'always' | 'when-due' | 'never' | undefined;
  /**
   * Returns whether cookies can be set now. They cannot once the head has been sent. Sessions are then only read, and
   * calls that set cookies throw `CookiesNotWritable`. Default: always.
   */
  readonly canSetCookies?: (() => boolean) | undefined;
  /** Sets a cookie on the response at once. Default: the visit keeps the cookies for the head of the response. */
  readonly setCookie?: ((cookie: Cookie) => void) | undefined;
  /** The application may ask for the session after the head was sent (streaming). Default: `false`. */
  readonly streams?: boolean | undefined;
}

/** A session, with the values that it depends on. */
interface Reading {
  readonly origin: string;
  readonly cookie: string | undefined;
  readonly session: Promise<Session | null>;
}

/** The state of a request. */
interface VisitState {
  reading: Reading | undefined;
  /** Whether the application has asked for something that depends on the visitor. */
  isAsked: boolean;
  /** How many cookies the calls have set. */
  changes: number;
  /** The cookies of the calls, by name. */
  readonly callCookies: Map<string, Cookie>;
  /** The cookies of the renewed session. */
  renewed: Cookie[];
}

function newState(): VisitState {
  return { reading: undefined, isAsked: false, changes: 0, callCookies: new Map(), renewed: [] };
}

/**
 * One request and one configuration: the session, the calls on the server, and the cookies that they set.
 *
 * ```ts
 * const visit = new Visit(withEnv(config, process.env), request);
 * const session = await visit.session();
 * applyToHeaders(response.headers, visit);
 * ```
 */
export class Visit implements VisitCookies {
  /** The configuration, with the values of the environment. */
  readonly configured: EnvConfigured;
  /** The request, as the binding describes it. */
  readonly request: VisitRequest;
  readonly #state: VisitState;

  /** @param state The state of {@link Visit.as}. Default: that of a new visit. */
  constructor(configured: EnvConfigured, request: VisitRequest, state: VisitState = newState()) {
    this.configured = configured;
    this.request = request;
    this.#state = state;
  }

  /**
   * Returns the same visit as another part of the application sees the request, for example where cookies cannot be
   * set.
   *
   * ```ts
   * const reading = visit.as({ ...visit.request, renew: 'never' });
   * ```
   */
  as(request: VisitRequest): Visit {
    return new Visit(this.configured, request, this.#state);
  }

  /** Path at which the actions are mounted: '' for the root, otherwise without a slash at its end. */
  get basePath(): string {
    return this.request.basePath ?? settingsFor(this.configured.config).basePath;
  }

  /** The origin of the site: that of `AUTH_URL`, otherwise that of the request; '' without either. */
  get origin(): string {
    return this.configured.call.origin ?? this.request.origin;
  }

  /**
   * Returns the session. It is read once, and again if a call or the framework has changed the request's cookies. Each
   * caller gets a copy.
   *
   * @returns `null` if the visitor is not signed in, and if the store or a callback fails. The cookie then stays.
   * @throws {AuthError} If the configuration has a problem, or the request has no valid host. See `statusOf`.
   */
  async session(): Promise<Session | null> {
    this.#state.isAsked = true;
    const { origin } = this.request;
    const cookie = this.request.header('cookie');
    if (this.#state.reading?.origin !== origin || this.#state.reading.cookie !== cookie) {
      this.#state.reading = { origin, cookie, session: this.#read(origin, cookie) };
    }
    return structuredClone(await this.#state.reading.session);
  }

  async #read(origin: string, sent: string | undefined): Promise<Session | null> {
    const { request, configured } = this;
    const { basePath } = request;
    const changes = this.#state.changes;
    this.#state.renewed = [];
    const renew = request.renew ?? 'when-due';
    const renews = renew !== 'never' && this.#canSetCookies();
    return readSession(configured, {
      origin,
      basePath,
      cookie: changes === 0 ? sent : this.#cookieHeader(),
      userAgent: request.header('user-agent'),
      // A session that was read before a sign-out must not undo it.
      setCookie: renews ? (cookie) => changes === this.#state.changes && this.#renew(cookie) : undefined,
      renew,
      cookies: request.cookies,
    });
  }

  #renew(cookie: Cookie): void {
    if (this.request.setCookie) this.request.setCookie(cookie);
    else this.#state.renewed.push(cookie);
  }

  /**
   * Reads the session and decides whether the request may pass a guard; see `decideAccess`.
   *
   * ```ts
   * const access = await visit.access();
   * if (access.kind === 'redirect') return redirect(access.url);
   * if (access.kind === 'refuse') throw access.error;
   * ```
   *
   * @throws {AuthError} As {@link Visit.session}.
   */
  async access(facts: { readonly isDataRequest?: boolean | undefined } = {}): Promise<Access> {
    const session = await this.session();
    const { configured, basePath, request } = this;
    const { method = 'GET', path = '' } = request;
    const header = (name: string): string | undefined => request.header(name);
    return decideAccess({ configured, basePath, session, method, path, header, ...facts });
  }

  /** Starts or completes a sign-in, as `signIn` of this module does. */
  signIn(provider?: string, options?: SignInOptions, authorizationParams?: AuthorizationParams): Promise<string> {
    const { configured, host } = this.visitor();
    return signIn(configured, host, provider, options, authorizationParams);
  }

  /** Ends the session, in the browser and in the store. */
  signOut(options?: SignOutOptions): Promise<SignedOut> {
    const { configured, host } = this.visitor();
    return signOut(configured, host, options);
  }

  /** Passes data to the callbacks with the trigger `update`, and returns the new session. */
  update(data: unknown): Promise<Session | null> {
    const { configured, host } = this.visitor();
    return updateSession(configured, host, data);
  }

  /** Returns what a page shows of the mail that the browser has requested; `null` without one. */
  pendingMail(provider?: string): Promise<MailStatus | null> {
    this.#state.isAsked = true;
    const { origin } = this.request;
    return pendingMail(this.configured, { origin, basePath: this.basePath, cookie: this.#cookieHeader() }, provider);
  }

  /**
   * Returns the request as `sessionsOfVisitor`, `accountOfVisitor` and `tokensOfVisitor` take it. The response then
   * depends on the visitor.
   */
  visitor(): Visitor {
    this.#state.isAsked = true;
    const { configured, basePath, request } = this;
    const { origin, clientAddress, hasClient, home, redirect } = request;
    const headers = request.headers();
    const cookie = this.#cookieHeader();
    if (cookie === '') headers.delete('cookie');
    else headers.set('cookie', cookie);
    const setCookie = this.#canSetCookies() ? (each: Cookie): void => this.#setByCall(each) : undefined;
    const forms = this.#isUnsafe() ? 'same-origin' : 'host-checked';
    const host = { origin, basePath, headers, clientAddress, hasClient, home, redirect, setCookie, forms } as const;
    return { configured, host };
  }

  /** A link of another site may lead to a page that signs in. A request with an unsafe method must be of this site. */
  #isUnsafe(): boolean {
    const { method } = this.request;
    if (method === undefined) return this.request.header('origin') !== undefined;
    return method !== 'GET' && method !== 'HEAD';
  }

  #setByCall(cookie: Cookie): void {
    if (!this.#canSetCookies()) throw new CookiesNotWritable('the head of the response has been sent meanwhile');
    this.request.setCookie?.(cookie);
    this.#state.callCookies.set(cookie.name, cookie);
    this.#state.changes++;
    this.#state.reading = undefined;
    this.#state.renewed = [];
  }

  #canSetCookies(): boolean {
    return this.request.canSetCookies?.() ?? true;
  }

  /** Returns the `Cookie` header with the changes so far. */
  #cookieHeader(): string {
    const { request } = this;
    const header = request.header('cookie');
    if (request.currentCookies) return currentCookieHeader(header, request.currentCookies());
    return withSetCookies(header, [...this.#state.callCookies.values()]);
  }

  /** The `Set-Cookie` values of the renewed session; none if a call has changed the session since. */
  get renewed(): readonly string[] {
    return this.#state.renewed.map(serializeCookie);
  }

  /** The `Set-Cookie` values of the calls; none if the framework has set them at once. */
  get callCookies(): readonly string[] {
    return this.request.setCookie ? [] : [...this.#state.callCookies.values()].map(serializeCookie);
  }

  /** Returns whether a call has set a cookie of this name, also if the framework has set it at once. */
  hasSet(name: string): boolean {
    return this.#state.callCookies.has(name);
  }

  /**
   * Whether the response may depend on the visitor: the application has asked for the session, or may still ask while
   * the response is streamed.
   */
  get isPersonal(): boolean {
    if (this.#state.isAsked || !this.request.streams) return this.#state.isAsked;
    const { isPersonal } = ownCookies(this.configured, this.request.origin);
    return Object.keys(parseCookies(this.#cookieHeader())).some(isPersonal);
  }
}

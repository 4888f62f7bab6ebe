import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type AnswerHeaders,
  answerNodeRequest,
  beforeHead,
  cookiesOn,
  currentCookieHeader,
  type EnvConfigured,
  type HeadChanges,
  type Host,
  headChanges,
  headersFromNode,
  isRoute,
  originFrom,
  ownPagePath,
  readSession,
  type SignInOptions,
  serializeCookie,
  signIn,
  signOut,
  updateSession,
  withEnv,
} from '@latchkey/core/binding';
import { AuthError } from '@latchkey/core/errors';
import type { Cookie, Session } from '@latchkey/core/types';
import type { BindingSetup, bindingConfig } from '@latchkey/testing/binding-application';

/** The decisions of the binding. A test replaces one of them to break a rule. */
export interface Parts {
  origin(request: IncomingMessage, setup: BindingSetup): string;
  clientAddress(request: IncomingMessage, setup: BindingSetup): string | undefined;
  /** Decides about the cookies of a renewed session, when the head is written. */
  renewal(headers: AnswerHeaders, cookies: readonly string[]): HeadChanges;
  /** Writes `Set-Cookie` lines beside those that the answer has. */
  addCookies(response: ServerResponse, lines: readonly string[]): void;
  /** Returns the session of one caller. */
  copyOf(session: Session | null): Session | null;
  /** Returns the session that the visit has read before, if it may be used again. */
  remembered(known: Promise<Session | null> | undefined): Promise<Session | null> | undefined;
  /** Returns the session if it cannot be read, or throws. */
  readFailed(error: unknown): Session | null;
  /** Cookies of the session that were read before a call has changed it. */
  pendingAfterCall(pending: readonly string[]): string[];
  host(host: Host): Host;
  access(visit: ReferenceVisit, session: Session | null): Access;
  renew: 'always' | 'when-due';
}

/** The decision of a guard. */
export type Access = { readonly pass: true } | { readonly redirect: string } | { readonly status: number };

/** The decisions that pass all cases. */
export const rightParts: Parts = {
  origin: ({ headers }, { trustProxy }) => {
    const [protocol, host] = ['x-forwarded-proto', 'x-forwarded-host'].map((name) =>
      trustProxy
        ? String(headers[name] ?? '')
            .split(',')[0]
            ?.trim()
        : '',
    );
    return originFrom(protocol || 'http', host || headers.host);
  },
  clientAddress: ({ headers, socket }, { trustProxy }) =>
    (trustProxy &&
      String(headers['x-forwarded-for'] ?? '')
        .split(',')[0]
        ?.trim()) ||
    socket.remoteAddress,
  renewal: (headers, cookies) => headChanges(headers, { renewed: cookies }),
  addCookies: (response, lines) => void response.setHeader('set-cookie', [...cookiesOn(response), ...lines]),
  copyOf: (session) => structuredClone(session),
  remembered: (known) => known,
  readFailed(error) {
    throw error;
  },
  pendingAfterCall: () => [],
  host: (host) => ({ ...host, forms: 'same-origin' }),
  access: (visit, session) => {
    const { pages } = visit.configured.config;
    const path = visit.path.replace(/\?.*/, '');
    const page = pages?.signIn ?? `${visit.basePath}/signin`;
    const isOpen = ownPagePath(page, visit.configured.call.origin) === path;
    if (session || isOpen || isRoute(path, visit.basePath, visit.configured.config)) return { pass: true };
    if (!visit.opensPage()) return { status: 401 };
    return { redirect: `${page}?${new URLSearchParams({ callbackUrl: visit.path })}` };
  },
  renew: 'when-due',
};

/** One request to a binding for `node:http`, made of the functions that all bindings share. */
export class ReferenceVisit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly configured: EnvConfigured;
  readonly setup: BindingSetup;
  readonly basePath: string;
  /** Path and query, without the origin of an absolute address. */
  readonly path: string;
  readonly #parts: Parts;
  readonly #cookies: Map<string, string> = new Map();
  #session: Promise<Session | null> | undefined;
  #pending: string[] = [];
  #isPersonal = false;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    setup: BindingSetup,
    config: ReturnType<typeof bindingConfig>,
    parts: Parts,
  ) {
    this.request = request;
    this.response = response;
    this.setup = setup;
    this.basePath = (setup.base ?? '') + (setup.basePath ?? '/auth');
    const configured = withEnv(config, setup.env ?? {}, this.basePath);
    const call = { ...configured.call, revision: true };
    this.configured = { ...configured, call };
    this.path = (request.url ?? '/').replace(/^http:\/\/[^/?]*/, '');
    this.#parts = parts;
    beforeHead(response, (_head, headers) => this.#completeHead(headers));
  }

  /** Answers an action. Returns `false` for other requests. */
  async answer(mount: string): Promise<boolean> {
    const path = this.path.replace(/\?.*/, '');
    if (path !== mount && !path.startsWith(`${mount}/`)) return false;
    if (mount === '' && !isRoute(path, mount, this.configured.config)) return false;
    const { request, response, configured, setup } = this;
    const clientAddress = this.#parts.clientAddress(request, setup);
    const url = { origin: this.#origin(), path: this.path, basePath: mount, clientAddress };
    await answerNodeRequest(request, response, configured, url);
    return true;
  }

  async auth(): Promise<Session | null> {
    this.#session = this.#parts.remembered(this.#session) ?? this.#read();
    return this.#parts.copyOf(await this.#session);
  }

  /** Returns the session behind a guard; `undefined` if the guard has answered. */
  async guard(): Promise<Session | null | undefined> {
    const session = await this.auth();
    const access = this.#parts.access(this, session);
    if ('pass' in access) return session;
    if ('redirect' in access) this.response.writeHead(302, { location: access.redirect }).end();
    else this.response.writeHead(access.status).end('Sign in first.');
    return undefined;
  }

  signIn(provider: string | undefined, options: SignInOptions): Promise<string> {
    return signIn(this.configured, this.#host(), provider, options);
  }

  async signOut(options: SignInOptions): Promise<string> {
    return (await signOut(this.configured, this.#host(), options)).redirect;
  }

  update(data: object): Promise<Session | null> {
    return updateSession(this.configured, this.#host(), data);
  }

  opensPage(): boolean {
    const { method, headers } = this.request;
    const mode = headers['sec-fetch-mode'];
    if (method !== 'GET' && method !== 'HEAD') return false;
    return mode === undefined ? String(headers.accept).includes('text/html') : mode === 'navigate';
  }

  #origin(): string {
    return this.#parts.origin(this.request, this.setup);
  }

  async #read(): Promise<Session | null> {
    const { response, configured } = this;
    const cookies: string[] = [];
    const setCookie = (cookie: Cookie): void => void cookies.push(serializeCookie(cookie));
    const { renew } = this.#parts;
    try {
      const visit = { origin: this.#origin(), basePath: this.basePath, cookie: this.#cookieHeader(), renew };
      const session = await readSession(configured, {
        ...visit,
        setCookie: response.headersSent ? undefined : setCookie,
      });
      this.#isPersonal = true;
      this.#pending.push(...cookies);
      return session;
    } catch (error) {
      return this.#parts.readFailed(error);
    }
  }

  #completeHead(headers: AnswerHeaders): void {
    if (!this.#isPersonal) return;
    const { add, cacheControl } = this.#parts.renewal(headers, this.#pending);
    if (cacheControl !== undefined) this.response.setHeader('cache-control', cacheControl);
    if (add.length > 0) this.#parts.addCookies(this.response, add);
  }

  #host(): Host {
    const { response, basePath, request } = this;
    const headers = headersFromNode(request.headers);
    headers.set('cookie', this.#cookieHeader());
    const setCookie = (cookie: Cookie): void => {
      this.#cookies.set(cookie.name, cookie.value);
      this.#session = undefined;
      this.#pending = this.#parts.pendingAfterCall(this.#pending);
      this.#parts.addCookies(response, [serializeCookie(cookie)]);
    };
    return this.#parts.host({
      origin: this.#origin(),
      basePath,
      headers,
      hasClient: true,
      setCookie: response.headersSent ? undefined : setCookie,
      redirect: redirectTo,
    });
  }

  #cookieHeader(): string {
    const sent = this.request.headers.cookie ?? '';
    const changed = [...this.#cookies].map(([name, value]) => ({ name, value }));
    const kept = sent.split(/; */).filter((pair) => pair !== '' && !this.#cookies.has(pair.split('=')[0] ?? ''));
    return [...kept, currentCookieHeader(undefined, changed)].filter((each) => each !== '').join('; ');
  }
}

/** Leaves a route for another address. */
export class Redirect {
  readonly location: string;
  constructor(location: string) {
    this.location = location;
  }
}

function redirectTo(location: string): never {
  throw new Redirect(location);
}

/** Returns the status of a failed route. */
export function statusOf(error: unknown): number {
  return error instanceof AuthError && error.cause?.['status'] === 400 ? 400 : 500;
}

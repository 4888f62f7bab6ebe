import {
  accountOfRequest,
  beforeHead,
  cookiesOn,
  headChanges,
  headersFromNode,
  headersOn,
  type NodeHead,
  nodeHost,
  serializeCookie,
  sessionsOfVisitor,
  tokensOfVisitor,
  type Visitor,
} from '@latchkey/core/binding';
import type { MailStatus, RequestAccount, Session, VisitorSessions, VisitorTokens } from '@latchkey/core/types';
import { type ConfigSource, configuredFor } from './config.ts';
import { originOf } from './paths.ts';
import { mailFrom, sessionFrom, type VisitOf } from './session.ts';

/** The members of a request of the Pages Router that are used. */
export interface PagesRequest {
  readonly headers: Headers | Record<string, string | string[] | undefined>;
  readonly socket?: object | null | undefined;
}

/** A response of the Pages Router: that of `getServerSideProps`, or of an API route, on Node or on the edge. */
export type PagesResponse = NodeHead | { readonly headers: Headers };

/**
 * Returns the request and the response of the forms `(req, res)` and `(context)`.
 *
 * @returns `undefined` if the values are neither.
 */
export function pagesVisit(first: unknown, second?: unknown): [PagesRequest, PagesResponse] | undefined {
  const { req = first, res = second } = (first ?? {}) as { req?: unknown; res?: unknown };
  return req && res ? [req as PagesRequest, res as PagesResponse] : undefined;
}

/** Reads and extends the session, for `auth(req, res)` and `auth(context)`. */
export async function authInPages(
  source: ConfigSource,
  request: PagesRequest,
  response: PagesResponse,
): Promise<Session | null> {
  const visit = visitOf(request);
  const cookies: string[] = [];
  const session = await sessionFrom(source, request, (configured) => ({
    ...visit(configured),
    cookies: 'all',
    // A late answer could undo a sign-out in another tab, and Next prefetches the props of pages.
    renew: 'when-due',
    setCookie: (cookie) => void cookies.push(serializeCookie(cookie)),
  }));
  setCookies(response, cookies);
  return session;
}

/**
 * Reads the pending mail, for `pendingMail(req, res)` and `pendingMail(context)`. Sets no cookies, but keeps caches
 * from an answer that names the visitor's address.
 */
export async function pendingMailInPages(
  source: ConfigSource,
  request: PagesRequest,
  response: PagesResponse,
  provider: string | undefined,
): Promise<MailStatus | null> {
  const mail = await mailFrom(source, request, provider, visitOf(request));
  setCookies(response, []);
  return mail;
}

function visitOf(request: PagesRequest): VisitOf {
  const headers = headersOf(request);
  return (configured) => ({
    origin: originOf(configured, headers, protocolOf(request)),
    cookie: headers.get('cookie') ?? undefined,
    userAgent: headers.get('user-agent'),
  });
}

function setCookies(response: PagesResponse, cookies: readonly string[]): void {
  if (!('setHeader' in response)) setOnEdge(response.headers, cookies);
  else if (!response.headersSent) setOnNode(response, cookies);
}

/** Lists and ends the sessions of the visitor, for `sessions.from(req, res)`. */
export function sessionsInPages(source: ConfigSource, request: PagesRequest, response: NodeHead): VisitorSessions {
  return sessionsOfVisitor(() => visitorInPages(source, request, response));
}

/** Uses the provider tokens of the visitor, for `tokens.from(req, res)`. */
export function tokensInPages(source: ConfigSource, request: PagesRequest, response: NodeHead): VisitorTokens {
  return tokensOfVisitor(() => visitorInPages(source, request, response));
}

/** Reads and changes the account of the visitor, for `account.from(req, res)`. */
export function accountInPages(source: ConfigSource, request: PagesRequest, response: NodeHead): RequestAccount {
  return accountOfRequest(() => visitorInPages(source, request, response));
}

async function visitorInPages(source: ConfigSource, request: PagesRequest, response: NodeHead): Promise<Visitor> {
  const configured = await configuredFor(source, request);
  const headers = headersOf(request);
  if (!response.headersSent) setOnNode(response, []);
  const origin = originOf(configured, headers, protocolOf(request));
  const host = { ...nodeHost(origin, headers, response), basePath: configured.basePath, hasClient: true };
  return { configured, host };
}

function protocolOf({ socket }: PagesRequest): 'http' | 'https' {
  const { encrypted } = (socket ?? {}) as { encrypted?: unknown };
  return encrypted === true ? 'https' : 'http';
}

function setOnEdge(headers: Headers, cookies: readonly string[]): void {
  const { add, cacheControl } = headChanges(headers, { renewed: cookies });
  for (const line of add) headers.append('set-cookie', line);
  if (cacheControl !== undefined) headers.set('cache-control', cacheControl);
}

/**
 * Sets the cookies at once, because some hosts never call `writeHead`. The head may still allow caches to keep the
 * answer.
 */
function setOnNode(response: NodeHead, cookies: readonly string[]): void {
  const { add, cacheControl } = headChanges(headersOn(response), { renewed: cookies });
  // The answer depends on the session. The application may still set another value.
  if (cacheControl !== undefined) response.setHeader('cache-control', cacheControl);
  if (add.length === 0) return;
  response.setHeader('set-cookie', [...cookiesOn(response), ...add]);
  beforeHead(response, (head, headers) => {
    const { drop } = headChanges(headers, { renewed: add });
    if (drop.length === 0) return;
    const rest = cookiesOn(head).filter((line) => !drop.includes(line));
    head.setHeader('set-cookie', rest);
  });
}

function headersOf({ headers }: PagesRequest): Headers {
  return headers instanceof Headers ? headers : headersFromNode(headers);
}

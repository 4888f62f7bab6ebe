import {
  accountOfRequest,
  applyBeforeHead,
  applyToHeaders,
  applyToNode,
  beforeHead,
  cachedVisit,
  cookiesOn,
  headChanges,
  headersFromNode,
  type NodeHead,
  requestOrigin,
  serializeCookie,
  sessionsOfVisitor,
  tokensOfVisitor,
  Visit,
  type VisitCookies,
  type Visitor,
  type VisitRequest,
} from '@latchkey/core/binding';
import type { Cookie, MailStatus, RequestAccount, Session, VisitorSessions, VisitorTokens } from '@latchkey/core/types';
import { type ConfigSource, type Configured, configuredFor } from './config.ts';
import { readFrom } from './session.ts';

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
export function authInPages(
  source: ConfigSource,
  request: PagesRequest,
  response: PagesResponse,
): Promise<Session | null> {
  return readInPages(source, request, response, (visit) => visit.session());
}

/**
 * Reads the pending mail, for `pendingMail(req, res)` and `pendingMail(context)`. Sets no cookies, but keeps caches
 * from an answer that names the visitor's address.
 */
export function pendingMailInPages(
  source: ConfigSource,
  request: PagesRequest,
  response: PagesResponse,
  provider: string | undefined,
): Promise<MailStatus | null> {
  return readInPages(source, request, response, (visit) => visit.pendingMail(provider));
}

async function readInPages<T>(
  source: ConfigSource,
  request: PagesRequest,
  response: PagesResponse,
  read: (visit: Visit) => Promise<T | null>,
): Promise<T | null> {
  let cookies: VisitCookies = {};
  const result = await readFrom(source, request, (configured) => {
    const visit = visitFor(request, response, configured);
    cookies = visit;
    return read(visit);
  });
  // The answer depends on the visitor, also if the session could not be read.
  applyNow(response, cookies);
  return result;
}

function visitFor(request: PagesRequest, response: PagesResponse, configured: Configured): Visit {
  return cachedVisit(request, configured, () => new Visit(configured, describe(request, response, configured)));
}

function describe(request: PagesRequest, response: PagesResponse, configured: Configured): VisitRequest {
  const headers = headersOf(request);
  return {
    origin: requestOrigin(configured, headers, { protocol: protocolOf(request) }),
    basePath: configured.basePath,
    header: (name) => headers.get(name) ?? undefined,
    headers: () => new Headers(headers),
    hasClient: true,
    cookies: 'all',
    canSetCookies: () => !('setHeader' in response && response.headersSent),
  };
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

/** Calls set their cookies at once, because some hosts never call `writeHead`. */
async function visitorInPages(source: ConfigSource, request: PagesRequest, response: NodeHead): Promise<Visitor> {
  const configured = await configuredFor(source, request);
  const visit = visitFor(request, response, configured);
  applyNow(response, {});
  return visit.as({ ...visit.request, setCookie: setterOf(response) }).visitor();
}

/** No cache may keep an answer with the cookies of calls, also if the application allows it before or afterwards. */
function setterOf(response: NodeHead): (cookie: Cookie) => void {
  const callCookies: string[] = [];
  return (cookie) => {
    if (callCookies.length === 0) applyBeforeHead(response, { callCookies });
    callCookies.push(serializeCookie(cookie));
    applyToNode(response, { callCookies });
  };
}

function protocolOf({ socket }: PagesRequest): 'http' | 'https' {
  const { encrypted } = (socket ?? {}) as { encrypted?: unknown };
  return encrypted === true ? 'https' : 'http';
}

/**
 * Sets the cookies of a renewed session at once, because some hosts never call `writeHead`. The head may still allow
 * caches to keep the answer.
 */
function applyNow(response: PagesResponse, visit: VisitCookies): void {
  if (!('setHeader' in response)) applyToHeaders(response.headers, visit);
  else if (!response.headersSent) applyRenewed(response, visit);
}

function applyRenewed(response: NodeHead, { renewed }: VisitCookies): void {
  const added = applyToNode(response, { renewed });
  if (added.length === 0) return;
  beforeHead(response, (head, headers) => {
    const { drop } = headChanges(headers, { renewed: added });
    if (drop.length === 0) return;
    const rest = cookiesOn(head).filter((line) => !drop.includes(line));
    head.setHeader('set-cookie', rest);
  });
}

function headersOf({ headers }: PagesRequest): Headers {
  return headers instanceof Headers ? headers : headersFromNode(headers);
}

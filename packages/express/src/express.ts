import {
  type NodeHead,
  type NodeRequest,
  type NodeResponse,
  originFrom,
  pathOfTarget,
  statusOf,
  withoutQuery,
  withoutTrailingSlashes,
} from '@latchkey/core/binding';

/** The members of Express's request that decide about its session. The requests of Express 4 and 5 fit. */
export interface ExpressVisit {
  /** The HTTP method. */
  readonly method?: string | undefined;
  /** The address of the request as on the wire. */
  readonly originalUrl?: string | undefined;
  /** `http` or `https`, according to the setting `trust proxy`. */
  readonly protocol: string;
  /** The headers of the request, by lower-case name. */
  readonly headers: NodeRequest['headers'];
  /** The application, whose setting `trust proxy` decides whether `X-Forwarded-*` headers are believed. */
  readonly app: { get(setting: string): unknown };
  /** The connection, whose `remoteAddress` is the network address of the client or of the last proxy. */
  readonly socket: { readonly remoteAddress?: string | undefined };
  /** The response to this request, which receives the cookies of a renewed session. Express sets it. */
  readonly res?: ExpressHead | undefined;
  /** Continues with the next handler. Express sets it. */
  readonly next?: ExpressNext | undefined;
}

/** The members of Express's response that receive the cookies of a renewed session. */
export interface ExpressHead extends NodeHead {
  /** Whether the head was sent, so that a cookie can no longer be set. */
  readonly headersSent: boolean;
}

/** The members of Express's request that the handler uses. */
export interface ExpressRequest extends NodeRequest, ExpressVisit {
  /** The HTTP method. */
  readonly method?: string | undefined;
  /** The headers of the request, by lower-case name. */
  readonly headers: NodeRequest['headers'];
  /** The address of the request as on the wire. */
  readonly originalUrl: string;
  /** The part of the path that `app.use()` has matched. */
  readonly baseUrl: string;
  /** The values of the placeholders in the path. */
  readonly params: unknown;
  /** The visitor's network address, according to the setting `trust proxy`. */
  readonly ip?: string | undefined;
}

/** The members of Express's response that the handler uses. */
export interface ExpressResponse extends NodeResponse {}

/** Express's `next`: with an error, it calls the error handlers. */
export type ExpressNext = (error?: unknown) => void;

/** The members that Express's error handlers read, as the package `http-errors` defines them. */
export interface HttpError {
  /** HTTP status of the answer, such as 401. */
  status: number;
  /** The same as {@link status}, for handlers that read this name. */
  statusCode: number;
  /** Whether the message is for visitors. */
  expose: boolean;
}

/**
 * Adds a status to an {@link AuthError}: 400 if the request was wrong, otherwise 500. Its message is for the operator
 * of the site, so visitors must not see it. Returns other errors unchanged.
 */
export function withStatus(error: unknown): unknown {
  const status = statusOf(error);
  if (status === undefined || status === 401) return error;
  return Object.assign(error as Error, { status, statusCode: status, expose: false } satisfies HttpError);
}

/** Returns the origin of the request, according to the setting `trust proxy`; '' if the request names none. */
export function originOf(request: ExpressVisit): string {
  const { host, 'x-forwarded-host': forwarded } = request.headers;
  // Express 4 has no getter that keeps the port of X-Forwarded-Host.
  const trusted = forwarded !== undefined && trustsProxy(request) ? String(forwarded).split(',')[0]?.trim() : undefined;
  return originFrom(request.protocol, trusted || String(host ?? ''));
}

/** Calls the function behind `trust proxy`, as Express does for `protocol` and `hostname`. */
function trustsProxy({ app, socket }: ExpressVisit): boolean {
  const trust = app.get('trust proxy fn');
  return typeof trust === 'function' && trust(socket.remoteAddress, 0) === true;
}

/**
 * Returns the path at which the handler is mounted. `app.use('/auth', …)` provides it. With a wildcard (`/auth/*`,
 * `/auth/{*rest}`), it is the part before the segments of the wildcard.
 *
 * @returns '' for the whole site.
 */
export function mountOf(request: ExpressRequest): string {
  const wildcard = wildcardOf(request.params);
  if (wildcard.length === 0) return request.baseUrl;
  return withoutTrailingSlashes(withoutQuery(pathOfTarget(request.originalUrl)))
    .split('/')
    .slice(0, -wildcard.length)
    .join('/');
}

/** Returns the segments of the last wildcard. Express 4 numbers wildcards; Express 5 provides lists. */
function wildcardOf(params: unknown): string[] {
  const wildcards = Object.entries(params ?? {}).filter(([name, value]) => Array.isArray(value) || /^\d+$/.test(name));
  const last: unknown = wildcards.at(-1)?.[1];
  const segments = typeof last === 'string' ? last.split('/') : Array.isArray(last) ? last.map(String) : [];
  const end = segments.findLastIndex((segment) => segment !== '');
  return segments.slice(0, end + 1);
}

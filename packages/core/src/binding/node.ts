import { handle } from '../auth.ts';
import { type EnvConfigured, PATH_MISMATCH } from '../config/env.ts';
import { settingsFor } from '../config/settings.ts';
import type { Reply } from '../context.ts';
import { type NodeRequest, readNodeRequest } from '../entry/request.ts';
import { toWireReply, type WireReply } from '../wire/reply.ts';
import {
  type AnswerHeaders,
  applyToHead,
  type HeadWriter,
  overridingCacheHeaders,
  type VisitCookies,
} from './renew.ts';
import type { VisitRequest } from './visit.ts';

/** The members of a Node response that are used; `http.ServerResponse` and Express's `Response` fit. */
export interface NodeResponse {
  /** Whether the head was sent, so that no reply can be written. */
  readonly headersSent: boolean;
  /** Whether the connection is closed, so that no reply can be written. */
  readonly destroyed: boolean;
  /** Returns a header that earlier handlers have set. Their `Set-Cookie` lines are kept. */
  getHeader(name: string): number | string | string[] | undefined;
  /** Returns the names of the headers that were set. */
  getHeaderNames?(): string[];
  /** Removes a header that was set. */
  removeHeader?(name: string): unknown;
  /** Writes status and headers. A list becomes one line per item, as `Set-Cookie` needs it. */
  writeHead(status: number, headers: Record<string, string | string[]>): unknown;
  /** Writes the body as UTF-8, and ends the response. */
  end(body: string): unknown;
}

/** The address of a request, as the host framework knows it. */
export interface RequestUrl {
  /** Origin of the site; '' if the request names none, which is answered with 400. `AUTH_URL` takes precedence. */
  readonly origin: string;
  /** Path and query as on the wire, from the root of the site. */
  readonly path: string;
  /** Path at which the handler is mounted. */
  readonly basePath: string;
  /** The visitor's network address, if the host knows it. */
  readonly clientAddress?: string | undefined;
  /** If `true`, the cookie `authjs.revision` informs the browser's scripts of each change. Default: `false`. */
  readonly hasClient?: boolean | undefined;
}

/**
 * Answers a Node request, without a `Request` and a `Response`.
 *
 * ```ts
 * const url = { origin: 'https://example.com', path: request.url ?? '/', basePath: '/auth' };
 * await answerNodeRequest(request, response, withEnv(config, process.env), url);
 * ```
 *
 * @throws {TypeError} If the answer cannot be written, for example because a cookie has an invalid attribute.
 */
export async function answerNodeRequest(
  request: NodeRequest,
  response: NodeResponse,
  configured: EnvConfigured,
  url: RequestUrl,
): Promise<void> {
  writeReply(response, await replyToNodeRequest(request, configured, url));
}

/**
 * Answers a Node request as plain data, for frameworks that write the response themselves.
 *
 * ```ts
 * const { status, headers, cookies, body } = await nodeAnswer(request.raw, withEnv(config, process.env), url);
 * return reply.code(status).headers({ ...headers, 'set-cookie': cookies }).send(body);
 * ```
 *
 * @throws {TypeError} If the answer cannot be written, for example because a cookie has an invalid attribute.
 */
export async function nodeAnswer(request: NodeRequest, configured: EnvConfigured, url: RequestUrl): Promise<WireReply> {
  return toWireReply(await replyToNodeRequest(request, configured, url));
}

async function replyToNodeRequest(
  request: NodeRequest,
  { config, call, statedPath }: EnvConfigured,
  { origin, path, basePath, clientAddress, hasClient }: RequestUrl,
): Promise<Reply> {
  const settings = settingsFor(config);
  // Another listener may have started the flow of the body, which would be lost until it is read here.
  if (request.method === 'POST') request.pause?.();
  if (statedPath !== undefined && !isSamePath(statedPath, basePath)) {
    settings.logger.warn(PATH_MISMATCH, `the handler is mounted elsewhere than at ${statedPath || '/'}`);
  }
  const incoming = readNodeRequest(request, (call.origin ?? origin) + path);
  const revision = hasClient === undefined ? {} : { revision: hasClient };
  return handle(incoming, settings, { ...call, basePath, clientAddress, ...revision });
}

/** Routers compare paths without regard to case. */
function isSamePath(stated: string, mounted: string): boolean {
  return stated.toLowerCase() === mounted.toLowerCase();
}

function writeReply(response: NodeResponse, reply: Reply): void {
  const { status, headers, cookies, body = '' } = toWireReply(reply);
  // The visitor has left, or another handler has answered, for example a timeout.
  if (response.headersSent || response.destroyed) return;
  const lines: Record<string, string | string[]> = headers;
  for (const name of overridingCacheHeaders(headersOn(response), Object.entries(lines))) response.removeHeader?.(name);
  lines['content-length'] = String(Buffer.byteLength(body));
  // The rest of a body that is too large is not read. The connection cannot serve another request.
  if (status === 413) lines['connection'] = 'close';
  // `writeHead` replaces headers that were set before. The cookies of other middleware must stay.
  if (cookies.length > 0) lines['set-cookie'] = [...cookiesOn(response), ...cookies];
  response.writeHead(status, lines);
  response.end(body);
}

/** A global of Node, which is present wherever there is a Node response. */
declare const Buffer: { byteLength(text: string): number };

/** The members of a Node response that the cookies of a session need. */
export interface NodeHead {
  /** Whether the head was sent, so that a cookie can no longer be set. Default: `false`. */
  readonly headersSent?: boolean | undefined;
  /** Returns the current value of a header; `Set-Cookie` as a list. */
  getHeader(name: string): number | string | string[] | undefined;
  /** Returns the names of the headers so far, in lower case. */
  getHeaderNames?(): string[];
  /** Replaces a header. A list becomes one line per item. */
  setHeader(name: string, value: string | string[]): unknown;
  /** Removes a header that was set. */
  removeHeader?(name: string): unknown;
  // A method, because Node's has several signatures.
  /** Writes status and headers. Wrapped, so that cookies are set before the head is sent. */
  writeHead?(status: number, ...rest: never[]): unknown;
}

/**
 * Returns the values of the `Set-Cookie` headers that were set on a Node response.
 *
 * ```ts
 * response.setHeader('set-cookie', [...cookiesOn(response), 'theme=dark']);
 * ```
 */
export function cookiesOn(response: Pick<NodeHead, 'getHeader'>): string[] {
  return [response.getHeader('set-cookie') ?? []].flat().map(String);
}

/**
 * Returns the headers that were set on a Node response.
 *
 * ```ts
 * const { add } = headChanges(headersOn(response), { renewed: cookies });
 * ```
 */
export function headersOn(response: Pick<NodeHead, 'getHeader' | 'getHeaderNames'>): [name: string, value: unknown][] {
  const names = response.getHeaderNames?.() ?? ['cache-control', 'set-cookie'];
  return names
    .map((name): [string, unknown] => [name, response.getHeader(name)])
    .filter(([, value]) => value !== undefined);
}

/**
 * Calls a function before the head of a Node response is written, once the headers are known. Those that are given to
 * `writeHead` are set on the response before, because they would replace the changes.
 *
 * ```ts
 * beforeHead(response, (head) => head.setHeader('x-count', String(headersOn(head).length)));
 * ```
 *
 * @param change Receives the response and its headers.
 */
export function beforeHead(response: NodeHead, change: (head: NodeHead, headers: AnswerHeaders) => void): void {
  const writeHead = response.writeHead as ((...args: unknown[]) => unknown) | undefined;
  if (!writeHead) return;
  // Uses `this`: in development, Next lends a proxy of the response that must not be used afterwards.
  response.writeHead = function (this: NodeHead, ...args: unknown[]) {
    if (this.headersSent) return writeHead.apply(this, args);
    setHeaders(this, headersIn(args));
    change(this, headersOn(this));
    return writeHead.apply(
      this,
      args.filter((arg) => !isObject(arg)),
    );
  };
}

/** Sets headers as `writeHead` does: they replace those that were set before, and a name may occur more than once. */
function setHeaders(head: NodeHead, headers: readonly (readonly [name: string, value: unknown])[]): void {
  const given = new Map<string, { readonly name: string; readonly values: string[] }>();
  for (const [name, value] of headers) {
    const known = given.get(name.toLowerCase()) ?? { name, values: [] };
    known.values.push(...[value].flat().map(String));
    given.set(name.toLowerCase(), known);
  }
  for (const { name, values } of given.values()) {
    const [first = ''] = values;
    head.setHeader(name, values.length > 1 ? values : first);
  }
}

/** Returns the headers given to `writeHead`: an object, pairs, or a list of alternating names and values. */
function headersIn(args: readonly unknown[]): [name: string, value: unknown][] {
  const given = args.find(isObject);
  if (!Array.isArray(given)) return Object.entries(given ?? {});
  if (Array.isArray(given[0])) return given.map(([name, value]) => [String(name), value]);
  return given.flatMap((name, index): [string, unknown][] =>
    index % 2 === 0 ? [[String(name), given[index + 1]]] : [],
  );
}

function isObject(arg: unknown): arg is object {
  return typeof arg === 'object' && arg !== null;
}

/**
 * Returns the headers of a Node request. HTTP/2 adds pseudo-headers, and may split the `Cookie` header (RFC 9113
 * §8.2.3).
 *
 * ```ts
 * const cookie = headersFromNode(request.headers).get('cookie');
 * ```
 */
export function headersFromNode(headers: NodeRequest['headers']): Headers {
  const entries = Object.entries(headers).filter(([name]) => !name.startsWith(':'));
  return new Headers(
    entries.flatMap(([name, value]): [string, string][] => {
      const line = headerLine(name, value);
      return line === undefined ? [] : [[name, line]];
    }),
  );
}

function headerLine(name: string, value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(name === 'cookie' ? '; ' : ', ') : value;
}

/**
 * Returns the members of a {@link VisitRequest} that are the same for all frameworks on Node.
 *
 * ```ts
 * const visit = new Visit(configured, { ...nodeRequest(request.raw), origin, path: request.url });
 * ```
 */
export function nodeRequest(
  request: Pick<NodeRequest, 'method' | 'headers'>,
): Pick<VisitRequest, 'method' | 'header' | 'headers'> {
  return {
    method: request.method,
    header: (name) => headerLine(name, request.headers[name]),
    headers: () => headersFromNode(request.headers),
  };
}

/**
 * Applies `headChanges` to a Node response when its head is written. Before that, the application may still set
 * `Cache-Control`, sign the visitor out, or set cookies.
 *
 * ```ts
 * applyBeforeHead(response, visit);
 * ```
 *
 * @param visit Read when the head is written.
 */
export function applyBeforeHead(response: NodeHead, visit: VisitCookies): void {
  beforeHead(response, (head, headers) => applyToNode(head, visit, headers));
}

/**
 * Applies `headChanges` to a Node response now.
 *
 * ```ts
 * applyToNode(response, { renewed: cookies.map(serializeCookie) });
 * ```
 *
 * @param headers Default: those that were set so far.
 * @returns The `Set-Cookie` headers that were added.
 */
export function applyToNode(
  response: NodeHead,
  visit: VisitCookies,
  headers: AnswerHeaders = headersOn(response),
): readonly string[] {
  const head: HeadWriter = {
    headers,
    remove: (name) => response.removeHeader?.(name),
    set: (name, value) => response.setHeader(name, value),
    append: (name, value) => response.setHeader(name, [...cookiesOn(response), value]),
  };
  return applyToHead(head, visit);
}

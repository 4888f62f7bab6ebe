import { handle } from '../auth.ts';
import { type EnvConfigured, PATH_MISMATCH } from '../config/env.ts';
import { settingsFor } from '../config/settings.ts';
import type { Reply } from '../context.ts';
import { type NodeRequest, readNodeRequest } from '../entry/request.ts';
import { serializeCookie } from '../wire/cookie.ts';
import { toWireReply } from '../wire/reply.ts';
import type { AnswerHeaders } from './renew.ts';
import type { Host } from './server-call.ts';

/** The members of a Node response that are used; `http.ServerResponse` and Express's `Response` fit. */
export interface NodeResponse {
  /** Whether the head was sent, so that no reply can be written. */
  readonly headersSent: boolean;
  /** Whether the connection is closed, so that no reply can be written. */
  readonly destroyed: boolean;
  /** Returns a header that earlier handlers have set. Their `Set-Cookie` lines are kept. */
  getHeader(name: string): number | string | string[] | undefined;
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
  { config, call, statedPath }: EnvConfigured,
  { origin, path, basePath, clientAddress }: RequestUrl,
): Promise<void> {
  const settings = settingsFor(config);
  // Another listener may have started the flow of the body, which would be lost until it is read here.
  if (request.method === 'POST') request.pause?.();
  if (statedPath !== undefined && !isSamePath(statedPath, basePath)) {
    settings.logger.warn(PATH_MISMATCH, `the handler is mounted elsewhere than at ${statedPath || '/'}`);
  }
  const incoming = readNodeRequest(request, (call.origin ?? origin) + path);
  writeReply(response, await handle(incoming, settings, { ...call, basePath, clientAddress }));
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
 * const { add } = decideCookies(headersOn(response), cookies);
 * ```
 */
export function headersOn(response: NodeHead): [name: string, value: unknown][] {
  const names = response.getHeaderNames?.() ?? ['cache-control', 'set-cookie'];
  return names
    .map((name): [string, unknown] => [name, response.getHeader(name)])
    .filter(([, value]) => value !== undefined);
}

/**
 * Calls a function before the head of a Node response is written, once the headers are known.
 *
 * ```ts
 * beforeHead(response, (head, headers) => head.setHeader('x-count', String([...headers].length)));
 * ```
 *
 * @param change Receives the response, and its headers with those that are given to `writeHead`.
 */
export function beforeHead(response: NodeHead, change: (head: NodeHead, headers: AnswerHeaders) => void): void {
  const writeHead = response.writeHead as ((...args: unknown[]) => unknown) | undefined;
  if (!writeHead) return;
  // Uses `this`: in development, Next lends a proxy of the response that must not be used afterwards.
  response.writeHead = function (this: NodeHead, ...args: unknown[]) {
    if (!this.headersSent) change(this, [...headersOn(this), ...headersIn(args)]);
    return writeHead.apply(this, args);
  };
}

/** Returns the headers given to `writeHead`: an object, pairs, or a list of alternating names and values. */
function headersIn(args: readonly unknown[]): [name: string, value: unknown][] {
  const given = args.find((arg) => typeof arg === 'object' && arg !== null);
  if (!Array.isArray(given)) return Object.entries(given ?? {});
  const flat = given.flat();
  return flat.flatMap((name, index): [string, unknown][] => (index % 2 === 0 ? [[String(name), flat[index + 1]]] : []));
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
  const lines = Object.entries(headers).filter(([name, value]) => value !== undefined && !name.startsWith(':'));
  return new Headers(
    lines.map(([name, value]): [string, string] => [name, [value].flat().join(name === 'cookie' ? '; ' : ', ')]),
  );
}

/**
 * Returns a Node request in progress, for calls that end sessions. The framework does not check who has sent a form, so
 * a browser that names another origin is refused.
 *
 * ```ts
 * const host = nodeHost('https://example.com', headersFromNode(request.headers), response);
 * ```
 *
 * @param response Receives the cookies. Default: cookies cannot be set.
 */
export function nodeHost(origin: string, headers: Headers, response: NodeHead | undefined): Host {
  return {
    origin,
    headers,
    forms: headers.get('origin') === null ? 'host-checked' : 'same-origin',
    setCookie:
      response && !response.headersSent
        ? (cookie) => response.setHeader('set-cookie', [...cookiesOn(response), serializeCookie(cookie)])
        : undefined,
    redirect(url) {
      throw new Error(`the visitor must stay on this page, and not go to ${url}`);
    },
  };
}

import { lazily } from '../config/lazy.ts';
import type { Incoming } from '../context.ts';

const bodyReader = lazily(() => import('./read-body.ts'));

/** A web-standard request as plain data. Nothing is read before it is asked for. */
export function readRequest(request: Request): Incoming {
  return {
    method: request.method,
    url: request.url,
    header: (name) => request.headers.get(name) ?? undefined,
    headers: () => new Headers(request.headers),
    body: async (limit) => (await bodyReader()).readBody(request, limit),
  };
}

/** What a Node host has of a request; `http.IncomingMessage` and Express's `Request` fit. */
export interface NodeRequest {
  method?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  /** Set by a body parser that ran before us. */
  body?: unknown;
  /** The body was read already. */
  readableEnded?: boolean;
  /** Keeps the body until somebody reads it. */
  pause?(): unknown;
  [Symbol.asyncIterator](): AsyncIterator<unknown>;
}

/**
 * A Node request as plain data; no `Request` is made.
 *
 * @param url The absolute address that the client asked for, as the host knows it.
 */
export function readNodeRequest(request: NodeRequest, url: string): Incoming {
  return {
    method: request.method ?? 'GET',
    url,
    header: (name) => joined(request.headers[name], name === 'cookie' ? '; ' : ', '),
    headers: () => headersOf(request.headers),
    body: async (limit) => (await bodyReader()).readNodeBody(request, limit),
  };
}

/** HTTP/2 may bring a `Cookie` header in pieces (RFC 9113 §8.2.3). */
function joined(value: string | string[] | undefined, separator: string): string | undefined {
  return Array.isArray(value) ? value.join(separator) : value;
}

function headersOf(source: NodeRequest['headers']): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(source)) {
    if (value === undefined || name.startsWith(':')) continue;
    for (const one of Array.isArray(value) ? value : [value]) headers.append(name, one);
  }
  return headers;
}

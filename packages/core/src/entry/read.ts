import { lazily } from '../config/lazy.ts';
import type { Incoming } from '../context.ts';

const bodyReader = lazily(() => import('./body.ts'));

/** A web-standard request as plain data. Nothing is read before it is asked for. */
export function readRequest(request: Request): Incoming {
  return new WebIncoming(request);
}

/** Classes: functions in a literal would be made anew for each request. */
class WebIncoming implements Incoming {
  readonly method: string;
  readonly url: string;
  readonly #request: Request;

  constructor(request: Request) {
    this.method = request.method;
    this.url = request.url;
    this.#request = request;
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined;
  }

  headers(): Headers {
    return new Headers(this.#request.headers);
  }

  async body(limit: number): ReturnType<Incoming['body']> {
    return (await bodyReader()).readBody(this.#request, limit);
  }
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
  return new NodeIncoming(request, url);
}

class NodeIncoming implements Incoming {
  readonly method: string;
  readonly url: string;
  readonly #request: NodeRequest;

  constructor(request: NodeRequest, url: string) {
    this.method = request.method ?? 'GET';
    this.url = url;
    this.#request = request;
  }

  header(name: string): string | undefined {
    return joined(this.#request.headers[name], name === 'cookie' ? '; ' : ', ');
  }

  headers(): Headers {
    return headersOf(this.#request.headers);
  }

  async body(limit: number): ReturnType<Incoming['body']> {
    return (await bodyReader()).readNodeBody(this.#request, limit);
  }
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

import type { Context, Fields, Incoming } from '../context.ts';
import { concatenated, LimitError, readBounded } from '../wire/bounded-body.ts';

/** A web-standard request as plain data. Nothing is read before it is needed. */
export function readRequest(request: Request): Incoming {
  return new WebIncoming(request);
}

// Classes, because functions in a literal would be created for each request.
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
    const { body } = this.#request;
    if (!body) return undefined;
    try {
      return await readBounded(body, limit);
    } catch (error) {
      throw error instanceof LimitError ? tooLong() : error;
    }
  }
}

/** A request of a Node.js host; `http.IncomingMessage` and Express's `Request` fit. */
export interface NodeRequest {
  /** The HTTP method in upper case. Default: `GET`. */
  method?: string | undefined;
  /** The headers by lower-case name. A repeated header is a list, or a string with commas. */
  headers: Record<string, string | string[] | undefined>;
  /** Set by a body parser that ran before. */
  body?: unknown;
  /** The body was read already. */
  readableEnded?: boolean;
  /** Keeps the body until it is read. */
  pause?(): unknown;
  /** Reads the body in chunks. Called only if no body parser has read it. */
  [Symbol.asyncIterator](): AsyncIterator<unknown>;
}

/**
 * A Node.js request as plain data; no `Request` is created.
 *
 * @param url The absolute URL that the client asked for, as the host knows it.
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
    const value = this.#request.headers[name];
    // HTTP/2 may send a `Cookie` header in several parts (RFC 9113 §8.2.3).
    return Array.isArray(value) ? value.join(name === 'cookie' ? '; ' : ', ') : value;
  }

  headers(): Headers {
    const headers = new Headers();
    for (const [name, value] of Object.entries(this.#request.headers)) {
      if (value === undefined || name.startsWith(':')) continue;
      for (const one of [value].flat()) headers.append(name, one);
    }
    return headers;
  }

  async body(limit: number): ReturnType<Incoming['body']> {
    const { body, readableEnded } = this.#request;
    if (typeof body === 'string') return bounded(new TextEncoder().encode(body), limit);
    if (body instanceof Uint8Array) return bounded(body, limit);
    // The parsers of Express 4 set `{}` if the body has another media type than theirs; then it is still unread.
    const isUnread = readableEnded === false && typeof body === 'object' && Object.keys(body ?? {}).length === 0;
    if (typeof body === 'object' && body !== null && !isUnread) return body as Fields;
    return readableEnded ? undefined : readStream(this.#request, limit);
  }
}

function bounded(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.byteLength > limit) throw tooLong();
  return bytes;
}

/**
 * Up to this many times the limit is read and dropped, because clients read the answer only after they have sent
 * everything.
 */
const DRAINED = 16;

async function readStream(request: NodeRequest, limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request) {
    const part = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : (chunk as Uint8Array);
    size += part.byteLength;
    if (size <= limit) parts.push(part);
    else if (size > limit * DRAINED) break;
  }
  if (size > limit) throw tooLong();
  return concatenated(parts, size);
}

function tooLong(): RangeError {
  return new RangeError('body too long');
}

/** The sign-in request for hooks. Its fields are always JSON, because the body itself has been read. */
export function requestWithFields({ url, incoming, body }: Context): Request {
  const headers = incoming.headers();
  headers.delete('content-length');
  headers.delete('transfer-encoding');
  headers.set('content-type', 'application/json');
  return new Request(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

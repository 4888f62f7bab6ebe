import type { Fields, Incoming } from '../context.ts';
import { concatenated, FetchLimitError, readBounded } from '../wire/bounded-fetch.ts';

/** A web-standard request as plain data. Nothing is read before it is asked for. */
export function readRequest(request: Request): Incoming {
  return {
    method: request.method,
    url: request.url,
    header: (name) => request.headers.get(name) ?? undefined,
    headers: () => new Headers(request.headers),
    body: (limit) => readBody(request, limit),
  };
}

async function readBody(request: Request, limit: number): Promise<Uint8Array | undefined> {
  if (!request.body) return undefined;
  try {
    return await readBounded(request.body, limit);
  } catch (error) {
    throw error instanceof FetchLimitError ? new RangeError('body too long') : error;
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
    body: (limit) => readNodeBody(request, limit),
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

async function readNodeBody(request: NodeRequest, limit: number): Promise<Uint8Array | Fields | undefined> {
  const { body } = request;
  if (typeof body === 'string') return bounded(new TextEncoder().encode(body), limit);
  if (body instanceof Uint8Array) return bounded(body, limit);
  if (typeof body === 'object' && body !== null && !isUnread(request, body)) return body as Fields;
  if (request.readableEnded) return undefined;
  return readStream(request, limit);
}

/** The parsers of Express 4 leave `{}` behind where they have read nothing: bodies of another media type than theirs. */
function isUnread({ readableEnded }: NodeRequest, body: object): boolean {
  return readableEnded === false && Object.keys(body).length === 0;
}

/** So many times the limit is read, and thrown away: clients look for an answer when they have sent all. */
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
  if (size > limit) throw new RangeError('body too long');
  return concatenated(parts, size);
}

function bounded(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.byteLength > limit) throw new RangeError('body too long');
  return bytes;
}

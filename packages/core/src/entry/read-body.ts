import type { Fields } from '../context.ts';
import { concatenated, FetchLimitError, readBounded } from '../wire/bounded-fetch.ts';
import type { NodeRequest } from './read.ts';

/**
 * The body of a web-standard request.
 *
 * @throws {RangeError} when it has more than `limit` bytes.
 */
export async function readBody(request: Request, limit: number): Promise<Uint8Array | undefined> {
  if (!request.body) return undefined;
  try {
    return await readBounded(request.body, limit);
  } catch (error) {
    throw error instanceof FetchLimitError ? new RangeError('body too long') : error;
  }
}

/**
 * The body of a Node request: what a parser before us has made of it, else its bytes.
 *
 * @throws {RangeError} when it has more than `limit` bytes.
 */
export async function readNodeBody(request: NodeRequest, limit: number): Promise<Uint8Array | Fields | undefined> {
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

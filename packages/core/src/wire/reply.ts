import type { Reply } from '../context.ts';
import { serializeCookie } from './cookie.ts';

/** A response as plain data. Headers and cookies belong to the caller, who may add to them. */
export interface WireReply {
  readonly status: number;
  /** Lower-case names, without `set-cookie`. */
  readonly headers: Record<string, string>;
  /** Values of `set-cookie`, one for each cookie. */
  readonly cookies: string[];
  readonly body: string | undefined;
}

/**
 * Returns a {@link Reply} as status, headers and text, for hosts that write them themselves. Each reply has
 * `x-content-type-options: nosniff`. It has `cache-control: private, no-store` unless the action has set that header,
 * because nearly all replies depend on the visitor or on the host of the request.
 *
 * @throws {TypeError} if a cookie is not valid in a header.
 */
export function toWireReply(reply: Reply): WireReply {
  const { redirect, cookies = [], body } = reply;
  const headers: Record<string, string> = { ...reply.headers, 'x-content-type-options': 'nosniff' };
  const target = redirect ?? headers['location'];
  if (target !== undefined) headers['location'] = headerAddress(target);
  if (body !== undefined) headers['content-type'] ??= defaultType(body);
  headers['cache-control'] ??= 'private, no-store';
  return {
    status: reply.status ?? (redirect === undefined ? 200 : 302),
    headers,
    cookies: cookies.map(serializeCookie),
    body: reply.json ?? (body === undefined ? undefined : bodyText(body, headers['content-type'])),
  };
}

/** Returns a {@link Reply} as a web-standard response with the same content as {@link toWireReply}. */
export function toResponse(reply: Reply): Response {
  const wire = toWireReply(reply);
  // With all headers: servers replace the global `Response` by classes that copy only what the constructor was given.
  return new Response(wire.body ?? null, { status: wire.status, headers: headersOf(wire) });
}

function headersOf({ headers, cookies }: WireReply): HeadersInit {
  const [first, ...others] = cookies;
  const lines = first === undefined ? headers : { ...headers, 'set-cookie': first };
  // `Response` copies a `Headers` object once more.
  if (others.length === 0) return lines;
  const all = new Headers(lines);
  for (const cookie of others) all.append('set-cookie', cookie);
  return all;
}

function defaultType(body: unknown): string {
  return typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
}

function bodyText(body: unknown, contentType: string | undefined): string {
  return contentType === 'application/json' || typeof body !== 'string' ? JSON.stringify(body) : body;
}

/** Percent-encodes everything but visible ASCII, including line breaks, which would end the header. */
function headerAddress(address: string): string {
  return address.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}

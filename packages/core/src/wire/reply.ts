import type { Reply } from '../context.ts';
import { serializeCookie } from './cookie.ts';

/** An answer as it goes over the wire. */
export interface WireReply {
  readonly status: number;
  /** Lower-case names; `set-cookie` once per cookie. */
  readonly headers: [name: string, value: string][];
  readonly body: string | undefined;
}

/**
 * A {@link Reply} as status, header lines and text, for hosts that write them themselves. What sets a cookie is private to its
 * visitor, and is not stored by caches unless the action has said something else.
 *
 * @throws {TypeError} when a cookie cannot stand in a header.
 */
export function toWireReply(reply: Reply): WireReply {
  const { redirect, cookies = [] } = reply;
  // A client that is told the address instead gets it as a header all the same.
  const target = redirect ?? reply.headers?.location;
  const given = new Map(Object.entries(reply.headers ?? {}));
  if (reply.body !== undefined && !given.has('content-type')) given.set('content-type', defaultType(reply.body));
  if (target !== undefined) given.set('location', location(target));
  if (cookies.length > 0 && !given.has('cache-control')) given.set('cache-control', 'private, no-store');
  return {
    status: reply.status ?? (redirect === undefined ? 200 : 302),
    headers: [...given, ...cookies.map((cookie): [string, string] => ['set-cookie', serializeCookie(cookie)])],
    body: reply.body === undefined ? undefined : bodyText(reply.body, given.get('content-type')),
  };
}

/** A {@link Reply} as a web-standard response; the same bytes as {@link toWireReply}. */
export function toResponse(reply: Reply): Response {
  const { status, headers, body } = toWireReply(reply);
  return new Response(body ?? null, { status, headers });
}

function defaultType(body: unknown): string {
  return typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
}

function bodyText(body: unknown, contentType: string | undefined): string {
  return contentType === 'application/json' || typeof body !== 'string' ? JSON.stringify(body) : body;
}

/** An address that can stand in a header: anything beyond visible ASCII, line breaks too, is percent-encoded. */
function location(address: string): string {
  return address.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}

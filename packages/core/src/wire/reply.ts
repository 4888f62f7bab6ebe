import type { Reply } from '../context.ts';
import { serializeCookie } from './cookie.ts';

/** An answer as it goes over the wire. Headers and cookies are the caller's, who may add to them. */
export interface WireReply {
  readonly status: number;
  /** Lower-case names, without `set-cookie`. */
  readonly headers: Record<string, string>;
  /** Values of `set-cookie`, one for each cookie. */
  readonly cookies: string[];
  readonly body: string | undefined;
}

/**
 * A {@link Reply} as status, header lines and text, for hosts that write them themselves. What sets cookies, leads somewhere, or may
 * depend on what the visitor has brought, is private to that visitor and not stored by caches, unless the action has said something
 * else.
 *
 * @throws {TypeError} when a cookie cannot stand in a header.
 */
export function toWireReply(reply: Reply): WireReply {
  const { redirect, cookies = [] } = reply;
  // A client that is told the address instead gets it as a header all the same.
  const target = redirect ?? reply.headers?.location;
  const type = reply.headers?.['content-type'] ?? (reply.body === undefined ? undefined : defaultType(reply.body));
  const headers: Record<string, string> = { ...reply.headers };
  if (type !== undefined) headers['content-type'] = type;
  if (target !== undefined) headers['location'] = location(target);
  const isForAll = reply.bare === true && target === undefined && cookies.length === 0;
  if (!isForAll) headers['cache-control'] ??= 'private, no-store';
  return {
    status: reply.status ?? (redirect === undefined ? 200 : 302),
    headers,
    cookies: cookies.map(serializeCookie),
    body: reply.json ?? (reply.body === undefined ? undefined : bodyText(reply.body, type)),
  };
}

/** A {@link Reply} as a web-standard response; the same bytes as {@link toWireReply}. */
export function toResponse(reply: Reply): Response {
  const { status, headers, cookies, body } = toWireReply(reply);
  const response = new Response(body ?? null, { status });
  // One by one: as pairs in a list, which the constructor converts first, they cost more than all the rest of the response.
  // Set, and not appended: a text has brought a type of its own.
  for (const name of Object.keys(headers)) response.headers.set(name, headers[name] as string);
  for (const cookie of cookies) response.headers.append('set-cookie', cookie);
  return response;
}

function defaultType(body: unknown): string {
  return typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
}

function bodyText(body: unknown, contentType: string | undefined): string {
  return contentType === 'application/json' || typeof body !== 'string' ? JSON.stringify(body) : body;
}

const VISIBLE = /^[\x21-\x7e]*$/;

/** An address that can stand in a header: anything beyond visible ASCII, line breaks too, is percent-encoded. */
function location(address: string): string {
  return VISIBLE.test(address) ? address : address.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}

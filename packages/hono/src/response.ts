import { applyToHeaders, overridingCacheHeaders, type Visit } from '@latchkey/core/binding';
import type { Context, HonoRequest } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';

/** Returns the request with a body that can be read, if Hono has a copy, for example because of a validator. */
export async function unreadRequest({ req }: Context): Promise<Request> {
  const { raw, bodyCache } = req;
  if (!raw.bodyUsed || Object.keys(bodyCache).length === 0) return raw;
  const headers = new Headers(raw.headers);
  headers.delete('content-length');
  return new Request(raw.url, { method: raw.method, headers, body: await copiedText(req) });
}

async function copiedText(req: HonoRequest): Promise<string> {
  if (req.bodyCache.formData) return formText(await req.formData());
  // `text()` of the first releases of Hono 4 does not know a body that `json()` has read.
  return req.bodyCache.json ? JSON.stringify(await req.json()) : req.text();
}

/** Actions take fields of text only. */
function formText(form: FormData): string {
  const fields = [...form.entries()].filter((field): field is [string, string] => typeof field[1] === 'string');
  return String(new URLSearchParams(fields));
}

/**
 * Returns a response for Hono, which combines it with the headers that earlier middleware has set. If that has read
 * `c.res`, its headers would replace those of the response, so they are set one by one.
 */
export function respond(c: Context, { status, headers, body }: Response): Response {
  for (const name of overridingCacheHeaders(c.res.headers, headers)) c.header(name, undefined);
  for (const [name, value] of headers) c.header(name, value, { append: name === 'set-cookie' });
  return c.newResponse(body, status as StatusCode);
}

/** Adds the cookies of the visit to the final response. The headers of a response of `fetch` are immutable. */
export function applyToResponse(c: Context, visit: Visit): void {
  // A switch to WebSocket, or a network error, cannot be copied.
  if (c.res.status < 200) return;
  c.res = new Response(c.res.body, c.res);
  applyToHeaders(c.res.headers, visit);
}

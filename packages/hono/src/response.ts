import { applyToHeaders, type Visit } from '@latchkey/core/binding';
import type { Context } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';

/** Returns the request with a body that can be read, if Hono has a copy, for example because of a validator. */
export async function unreadRequest({ req }: Context): Promise<Request> {
  const { raw, bodyCache } = req;
  if (!raw.bodyUsed || Object.keys(bodyCache).length === 0) return raw;
  const headers = new Headers(raw.headers);
  headers.delete('content-length');
  const body = bodyCache.formData ? formText(await req.formData()) : await req.text();
  return new Request(raw.url, { method: raw.method, headers, body });
}

/** Actions take fields of text only. */
function formText(form: FormData): string {
  const fields = [...form.entries()].filter((field): field is [string, string] => typeof field[1] === 'string');
  return String(new URLSearchParams(fields));
}

/**
 * Returns a response with its cookies. Hono combines it with the headers that earlier middleware has set. If that has
 * read `c.res`, Hono would discard the cookies of a response, so they are set one by one.
 */
export function respond(c: Context, answer: Response): Response {
  const headers = new Headers(answer.headers);
  for (const line of headers.getSetCookie()) c.header('set-cookie', line, { append: true });
  headers.delete('set-cookie');
  return c.newResponse(answer.body, answer.status as StatusCode, Object.fromEntries(headers));
}

/** Adds the cookies of the visit to the final response. The headers of a response of `fetch` are immutable. */
export function applyToResponse(c: Context, visit: Visit): void {
  // A switch to WebSocket, or a network error, cannot be copied.
  if (c.res.status < 200) return;
  c.res = new Response(c.res.body, c.res);
  applyToHeaders(c.res.headers, visit);
}

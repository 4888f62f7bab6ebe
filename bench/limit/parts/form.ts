const LONGEST = 262_144;

/** Returns the fields of a form; undefined if the request has no form, or a form that is too long. */
export async function formOf(request: Request): Promise<URLSearchParams | undefined> {
  if (!request.headers.get('content-type')?.startsWith('application/x-www-form-urlencoded')) return undefined;
  const body = request.body ? await bounded(request.body, LONGEST) : undefined;
  return body && new URLSearchParams(body.toString());
}

/** Reads a body; undefined if it is longer than `limit` bytes. */
export async function bounded(body: ReadableStream<Uint8Array>, limit: number): Promise<Buffer | undefined> {
  const reader = body.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return parts.length === 1 ? Buffer.from((parts[0] as Uint8Array).buffer, 0, size) : Buffer.concat(parts);
    size += value.byteLength;
    parts.push(value);
    if (size <= limit) continue;
    await reader.cancel();
    return undefined;
  }
}

/** Tells whether a form has the site's own origin, by Fetch Metadata or, in older browsers, by `Origin`. */
export function isSameOrigin(request: Request, origin: string): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site !== 'cross-site';
  const from = request.headers.get('origin');
  return from === null || from === 'null' || from === origin;
}

const LONGEST = 262_144;

/** The fields of a form of bearable length; `undefined` when there is none. */
export async function formOf(request: Request): Promise<URLSearchParams | undefined> {
  if (!request.headers.get('content-type')?.startsWith('application/x-www-form-urlencoded')) return undefined;
  const body = request.body ? await bounded(request.body, LONGEST) : undefined;
  return body && new URLSearchParams(body.toString());
}

/** A body in memory, unless it is longer than `limit` bytes. */
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

/** May a form come from there? Browsers tell by Fetch Metadata, older ones by `Origin`. */
export function isOurs(request: Request, origin: string): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site !== 'cross-site';
  const from = request.headers.get('origin');
  return from === null || from === 'null' || from === origin;
}

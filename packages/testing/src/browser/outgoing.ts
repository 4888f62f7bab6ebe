import type { Site } from './site.ts';

/** A request on its way. */
export interface Outgoing {
  url: URL;
  method: string;
  mode: 'navigate' | 'cors';
  headers: Headers;
  body: string | FormData | undefined;
  initiator: string | undefined;
  /** What Sec-Fetch-Site says where that differs from what `SameSite` is judged by. */
  declaredSite?: Site;
}

type Metadata = Pick<Outgoing, 'method' | 'mode' | 'initiator'> & { site: Site };

/**
 * Adds what browsers say about a request themselves (Fetch §3.2; Fetch Metadata §2). Headers that a test gives stay; an empty one is
 * taken out, which is how to leave a single header away.
 */
export function addMetadata(headers: Headers, { method, mode, initiator, site }: Metadata): void {
  const automatic: Record<string, string | undefined> = {
    origin: method === 'GET' || method === 'HEAD' ? undefined : initiator,
    'sec-fetch-site': site,
    'sec-fetch-mode': mode,
    'sec-fetch-dest': mode === 'navigate' ? 'document' : 'empty',
  };
  for (const [name, value] of Object.entries(automatic)) {
    if (headers.get(name) === '') headers.delete(name);
    else if (value !== undefined && !headers.has(name)) headers.set(name, value);
  }
}

/** Fields as a form body; `undefined` ones are left out. Pure. */
export function toSearchParams(fields: Readonly<Record<string, unknown>>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

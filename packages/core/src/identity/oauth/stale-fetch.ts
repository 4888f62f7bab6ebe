import { limits } from '../../config/defaults.ts';
import { keep } from './bounded-map.ts';

interface Kept {
  text: string;
  /** Milliseconds since 1970. */
  at: number;
}

const made = new WeakMap<typeof fetch, typeof fetch>();

/**
 * `fetch` for metadata and key sets: the last good answer of an address stands in for a provider that fails, for a day at
 * most. It lies below the protocol library, so that the library's own rules about refetching stay as they are.
 * Returns the same function for the same `base`.
 */
export function staleFetch(base: typeof fetch): typeof fetch {
  const known = made.get(base);
  if (known) return known;
  const kept = new Map<string, Kept>();
  const wrapped: typeof fetch = async (input, init) => {
    const address = String(input instanceof Request ? input.url : input);
    try {
      const answer = await base(input, init);
      if (answer.status !== 200) return standIn(kept.get(address)) ?? answer;
      const text = await answer.text();
      if (!isGood(text)) return standIn(kept.get(address)) ?? new Response(null, { status: 502 });
      keep(kept, address, { text, at: Date.now() });
      return jsonResponse(text, answer.headers);
    } catch (error) {
      const stale = standIn(kept.get(address));
      if (stale) return stale;
      throw error;
    }
  };
  made.set(base, wrapped);
  return wrapped;
}

function standIn(entry: Kept | undefined): Response | undefined {
  return entry && Date.now() - entry.at < limits.metadataStale * 1000 ? jsonResponse(entry.text) : undefined;
}

function jsonResponse(text: string, headers?: Headers): Response {
  return new Response(text, { headers: { 'content-type': headers?.get('content-type') ?? 'application/json' } });
}

/** An object; as a key set, one of bearable size. Anything else must not replace what is kept. */
function isGood(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const keys = (value as { keys?: unknown }).keys;
    return keys === undefined || (Array.isArray(keys) && keys.length <= limits.keysPerSet);
  } catch {
    return false;
  }
}

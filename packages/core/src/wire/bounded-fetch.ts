import { LimitError, readBounded } from './bounded-body.ts';

/** Bounds of one remote call. */
export interface FetchLimits {
  /** Bytes of the response body at most. */
  bytes: number;
  /** Milliseconds from the call to the last byte of the body. */
  time: number;
}

const bounded = new WeakMap<typeof fetch, typeof fetch>();

/**
 * Returns a `fetch` that reads the whole response into memory, with a deadline and a limit on its size. It does not
 * follow redirects unless the caller asks. It rejects with a {@link LimitError} at the deadline or if the caller's
 * signal aborts, also if `base` ignores signals.
 *
 * Returns the same function for the same `base`, because caches of responses belong to it.
 */
export function boundedFetch(base: typeof fetch, limits: FetchLimits): typeof fetch {
  const known = bounded.get(base);
  if (known) return known;
  const made: typeof fetch = async (input, init) => {
    const deadline = AbortSignal.timeout(limits.time);
    const signal = init?.signal ? AbortSignal.any([deadline, init.signal]) : deadline;
    try {
      return await untilAborted(
        signal,
        fetchWhole(base, [input, { redirect: 'manual', ...init, signal }], limits.bytes),
      );
    } catch (error) {
      throw signal.aborted ? new LimitError('no complete answer in time', { cause: signal.reason }) : error;
    }
  };
  bounded.set(base, made);
  return made;
}

/** Calls the global `fetch` of the moment, which tests and instrumentation replace. */
export const globalFetch: typeof fetch = (input, init) => fetch(input, init);

/** Waits for some work until the signal aborts, also if the work does not heed it. Then it rejects with the reason. */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
  });
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

type Request = [input: Parameters<typeof fetch>[0], init: RequestInit & { signal: AbortSignal }];

async function fetchWhole(base: typeof fetch, [input, init]: Request, limit: number): Promise<Response> {
  const { status, statusText, headers, body } = await base(input, init);
  const bytes = await readBounded(body, limit, init.signal);
  if (status < 200 || status > 599) throw new TypeError(`unusable HTTP status ${status}`);
  // A null-body status must not have a body (Fetch §2.2.3).
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : bytes, { status, statusText, headers: withoutEncoding(headers) });
}

/** The bytes are decoded already. */
function withoutEncoding(headers: Headers): Headers {
  const copy = new Headers(headers);
  copy.delete('content-encoding');
  copy.delete('content-length');
  return copy;
}

const LOOPBACK = /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Returns whether traffic to a host stays on this machine (RFC 6761 §6.3, RFC 8252 §8.3). */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/**
 * Returns whether requests or visitors may be sent to a URL: https, or http on loopback.
 *
 * @param allowInsecure The owner accepts http on other hosts, too.
 */
export function isAcceptableUrl(address: string | URL, allowInsecure: boolean): boolean {
  if (typeof address === 'string' && !URL.canParse(address)) return false;
  const url = typeof address === 'string' ? new URL(address) : address;
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && (allowInsecure || isLoopback(url.hostname));
}

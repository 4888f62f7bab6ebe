/** Bounds of one remote call. */
export interface FetchLimits {
  /** Bytes of the answer's body at most. */
  bytes: number;
  /** Milliseconds from the call to the last byte of the body. */
  time: number;
}

/** A remote call took too long or answered too much. */
export class FetchLimitError extends Error {}

/** An answer, read into memory. */
export interface RemoteAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

type Call = (...request: Parameters<typeof fetch>) => Promise<RemoteAnswer>;

const made = new WeakMap<typeof fetch, typeof fetch>();
const calls = new WeakMap<typeof fetch, Call>();

/**
 * `fetch` with a deadline for the whole answer and a bound on its size. Redirects are not followed unless the caller asks. The deadline is
 * a timer of the platform: where a test has faked those, it comes when the test lets it.
 *
 * The same function comes back for the same `base`: libraries join simultaneous equal requests only when they are made
 * through one function object, and for the same reason the deadline lies in here and not in a `signal` of the caller.
 */
export function boundedFetch(base: typeof fetch, limits: FetchLimits): typeof fetch {
  const known = made.get(base);
  if (known) return known;
  const call: Call = (input, init) => {
    const reading: Reading = {};
    const work = async (signal: AbortSignal): Promise<RemoteAnswer> => {
      const { status, statusText, headers, body } = await base(input, { redirect: 'manual', ...init, signal });
      // Nobody waits any more: what comes now is let go.
      if (signal.aborted) body?.cancel().catch(() => undefined);
      signal.throwIfAborted();
      const bytes = await readAll(body, limits.bytes, reading);
      if (status < 200 || status > 599) throw new TypeError(`unusable HTTP status ${status}`);
      return { status, statusText, headers, bytes };
    };
    return letGo(within(limits.time, init?.signal ?? undefined, work), reading);
  };
  const ours: typeof fetch = async (input, init) => responseOf(await call(input, init));
  made.set(base, ours);
  calls.set(ours, call);
  return ours;
}

/** What a function that {@link boundedFetch} has made would answer with, before it becomes a `Response`, which costs more than to read it. */
export function answerOf(fetch: typeof globalThis.fetch, ...request: Parameters<typeof fetch>): Promise<RemoteAnswer> {
  const call = calls.get(fetch);
  if (!call) throw new TypeError('this `fetch` has no bounds');
  return call(...request);
}

/** The global `fetch` as it is when called (tests and instrumentation replace it). One function object. */
export const globalFetch: typeof fetch = (input, init) => fetch(input, init);

/**
 * Reads a body into memory.
 *
 * @param limit Bytes at most.
 * @throws {FetchLimitError} when there is more.
 */
export async function readBounded(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const reading: Reading = {};
  return letGo(readAll(stream, limit, reading), reading);
}

/** A body that is being read. */
interface Reading {
  reader?: ReadableStreamDefaultReader<Uint8Array>;
}

async function readAll(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
  reading: Reading,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!stream) return new Uint8Array();
  const reader = stream.getReader();
  reading.reader = reader;
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return concatenated(parts, size);
    size += value.byteLength;
    // The other way round, the size of what is no bytes (`NaN`) would never be too much.
    if (!(size <= limit)) throw new FetchLimitError(`more than ${limit} bytes`);
    parts.push(value);
  }
}

/** Where the work fails, the body that it was reading is let go. */
function letGo<T>(work: Promise<T>, reading: Reading): Promise<T> {
  return work.catch((error: unknown) => {
    // The other side may never end; nobody waits for the cancellation, and it may fail like the stream did.
    reading.reader?.cancel().catch(() => undefined);
    throw error;
  });
}

/** The parts in one piece; `size` is the sum of their lengths. */
export function concatenated(parts: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  if (parts.length === 1) return parts[0] as Uint8Array<ArrayBuffer>;
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.byteLength;
  }
  return bytes;
}

/**
 * Work that is over when its time is, or when `outer` aborts, whether or not it heeds its signal. The timer goes with the work: that of
 * `AbortSignal.timeout` stays until its time is over, and with it half a kilobyte for each call.
 */
function within<T>(
  milliseconds: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const controller = new AbortController();
    const done = (): void => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', stopAsAsked);
    };
    const stop = (cause: unknown): void => {
      done();
      reject(new FetchLimitError('no complete answer in time', { cause }));
      controller.abort(cause);
    };
    const stopAsAsked = (): void => stop(outer?.reason);
    outer?.addEventListener('abort', stopAsAsked);
    const timer = setTimeout(() => stop(new DOMException('the time is over', 'TimeoutError')), milliseconds);
    // A process that has nothing else to do need not wait for it (Node.js).
    (timer as { unref?(): void }).unref?.();
    if (outer?.aborted) stopAsAsked();
    work(controller.signal).then(
      (value) => {
        done();
        resolve(value);
      },
      (error: unknown) => {
        done();
        reject(error);
      },
    );
  });
}

/** The answer as a `Response`. A null-body status must not be given a body (Fetch §2.2.3). */
export function responseOf({ status, statusText, headers, bytes }: RemoteAnswer): Response {
  const empty = status === 204 || status === 205 || status === 304;
  return new Response(empty ? null : bytes, { status, statusText, headers: withoutEncoding(headers) });
}

/** The bytes are decoded already. */
function withoutEncoding(headers: Headers): Headers {
  if (!headers.has('content-encoding') && !headers.has('content-length')) return headers;
  const copy = new Headers(headers);
  copy.delete('content-encoding');
  copy.delete('content-length');
  return copy;
}

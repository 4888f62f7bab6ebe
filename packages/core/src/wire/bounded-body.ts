/** A body is longer than its limit, or a remote call took too long. */
export class LimitError extends Error {}

/**
 * Reads a body into memory. If that fails, the body is canceled.
 *
 * @param limit Bytes at most.
 * @param signal Ends the reading.
 * @throws {LimitError} if the body is longer.
 */
export async function readBounded(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!stream) return new Uint8Array();
  const reader = stream.getReader();
  // Nothing waits for the cancellation: the other side may never end, and it may fail as the stream did.
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  signal?.addEventListener('abort', cancel);
  try {
    signal?.throwIfAborted();
    const bytes = await readAll(reader, limit);
    // A canceled stream ends like a complete one.
    signal?.throwIfAborted();
    return bytes;
  } catch (error) {
    cancel();
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return concatenated(parts, size);
    size += value.byteLength;
    // Written as !(a <= b) so that parts that are not bytes (`NaN`) count as too long.
    if (!(size <= limit)) throw new LimitError(`more than ${limit} bytes`);
    parts.push(value);
  }
}

/**
 * Joins parts of a body.
 *
 * @param size The sum of their lengths.
 */
export function concatenated(parts: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.byteLength;
  }
  return bytes;
}

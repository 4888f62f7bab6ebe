import type { Awaitable } from './types/user.ts';

/**
 * Returns a function that loads a module at its first call. Later calls return the module itself and not a promise:
 * `import()` of a loaded module takes longer than a SHA-256 hash.
 */
export function lazily<T>(load: () => Promise<T>): () => Awaitable<T> {
  let cached: T | undefined;
  return () => cached ?? load().then((loaded) => (cached = loaded));
}

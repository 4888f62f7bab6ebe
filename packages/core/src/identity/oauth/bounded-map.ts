import { limits } from '../../config/defaults.ts';

/** Puts a value into a memo map as its newest entry; the oldest goes where there would be too many. */
export function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  if (map.size >= limits.memoEntries) map.delete(map.keys().next().value as string);
  map.set(key, value);
}

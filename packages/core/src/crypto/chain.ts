import type { Awaitable } from '../types.ts';

/**
 * `next(value)`, now when the value is there and later when it is a promise. It lets one text of a protocol run on the
 * synchronous engine without a turn of the loop and on the portable one with as many as that needs.
 */
export function chain<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return isPromise(value) ? value.then(next) : next(value);
}

/** Is it a promise (or something that can be awaited like one)? */
export function isPromise<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/** The first result that is there, one attempt after the other. */
export function firstResult<T, R>(
  items: readonly T[],
  attempt: (item: T) => Awaitable<R | undefined>,
  index = 0,
): Awaitable<R | undefined> {
  if (index === items.length) return undefined;
  return chain(attempt(items[index] as T), (result) => result ?? firstResult(items, attempt, index + 1));
}

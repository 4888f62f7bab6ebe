import type { Awaitable } from './types.ts';

/**
 * `next(value)`, now when the value is there and later when it is a promise. It lets one text run without a turn of the loop where
 * nothing has to be waited for, and with as many turns as it needs elsewhere (decisions/30). What an application hands in as a promise
 * may have a `then` that keeps few of the rules: it is waited for as `await` does it.
 */
export function chain<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value);
}

/** `next` of what `make` returns, or `otherwise` of what it throws or rejects with; what `next` throws is the caller's. */
export function attempt<T, U>(
  make: () => Awaitable<T>,
  next: (value: T) => Awaitable<U>,
  otherwise: (error: unknown) => Awaitable<U>,
): Awaitable<U> {
  let value: Awaitable<T>;
  let waits: boolean;
  try {
    value = make();
    // To ask may throw: a getter of the application's, a proxy that was revoked.
    waits = isPromise(value);
  } catch (error) {
    return otherwise(error);
  }
  return waits ? Promise.resolve(value).then(next, otherwise) : next(value as T);
}

/** What `make` returns, or `otherwise` of what it throws or rejects with. */
export function rescue<T>(make: () => Awaitable<T>, otherwise: (error: unknown) => Awaitable<T>): Awaitable<T> {
  return attempt(make, (value) => value, otherwise);
}

/** Is it a promise (or something that can be awaited like one)? */
export function isPromise<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/** The results for all items, one after the other. */
export function eachResult<T, R>(
  items: readonly T[],
  work: (item: T) => Awaitable<R>,
  done: readonly R[] = [],
): Awaitable<R[]> {
  const results = [...done];
  for (const item of items.slice(done.length)) {
    const result = work(item);
    if (isPromise(result)) return Promise.resolve(result).then((there) => eachResult(items, work, [...results, there]));
    results.push(result);
  }
  return results;
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

import { type ExpressNext, type ExpressVisit, withStatus } from './express.ts';

/**
 * Stands for the missing result of a function without one: the application would take a refused change for done. So its
 * errors go to the error handlers, also for a request that cannot be read.
 */
export const REPORTED: unique symbol = Symbol('reported');

/**
 * Runs a function. On Express 4, its error goes to the application's error handlers.
 *
 * @param none The result on Express 4 for a request that cannot be read.
 */
export async function withErrorHandlers<T>(
  request: ExpressVisit,
  none: T | typeof REPORTED,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    const error = withStatus(thrown);
    if (!isExpress4(request)) throw error;
    // A client can send such a request at will, and a handler that does not go on keeps its resources.
    if (none !== REPORTED && isBadRequest(error)) return none;
    return failed(request, error);
  }
}

/** Returns whether Express 4 runs the request. Version 5 has no `lazyrouter`. */
function isExpress4(request: ExpressVisit): request is ExpressVisit & { next: ExpressNext } {
  return 'lazyrouter' in request.app && typeof request.next === 'function';
}

function isBadRequest(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 400;
}

/** Requests whose error has gone to the error handlers. */
const reported = new WeakSet<ExpressVisit>();

function failed(request: ExpressVisit & { next: ExpressNext }, error: unknown): Promise<never> {
  if (!reported.has(request)) request.next(error);
  reported.add(request);
  return new Promise(() => undefined);
}

import { UniqueViolation } from '../errors.ts';

/** What a database's errors mean. */
export interface Failures {
  /** The statement or transaction lost against another. Nothing of it was kept, so it may be run again. */
  isLost(error: unknown): boolean;
  /** Name of the constraint that says that the row exists already; never a value. `null` for any other error. */
  violated(error: unknown): string | null;
}

/** Runs work again for so long after its start. Milliseconds. */
const PATIENCE = 5000;

/**
 * Runs work until it does not lose against others; after five seconds its last error counts.
 *
 * @throws {UniqueViolation} Other errors are the driver's own.
 */
export async function retrying<Result>(
  failures: Failures,
  work: () => Result | Promise<Result>,
  begun: number = Date.now(),
): Promise<Result> {
  const giveUpAt = begun + PATIENCE;
  for (let pause = 1; ; pause = Math.min(pause * 2, 100)) {
    try {
      return await work();
    } catch (error) {
      if (!failures.isLost(error) || Date.now() >= giveUpAt) throw translated(failures, error);
    }
    await pauseFor(pause);
  }
}

/** {@link retrying}, after a first attempt that has failed; `begun` is when that one began. */
export function retryingAfter<Result>(
  error: unknown,
  failures: Failures,
  work: () => Result | Promise<Result>,
  begun: number,
): Promise<Result> {
  if (!failures.isLost(error) || Date.now() - begun >= PATIENCE) throw translated(failures, error);
  return pauseFor(1).then(() => retrying(failures, work, begun));
}

/** Waits about so many milliseconds: those who lost against each other should not meet again. */
export function pauseFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds * (0.5 + Math.random())));
}

/** The adapter's error for the driver's. */
export function translated(failures: Failures, error: unknown): unknown {
  const constraint = failures.violated(error);
  return constraint === null ? error : new UniqueViolation(constraint, { cause: error });
}

/** Members of an error, whatever it is. */
export function membersOf(error: unknown): Readonly<Record<string, unknown>> {
  return typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
}

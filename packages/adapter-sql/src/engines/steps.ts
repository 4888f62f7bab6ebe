import type { Dialect, Query, Result, Step } from '../dialect.ts';

/** The result of a step that was skipped. */
const NOTHING: Result = { rows: [], affected: 0 };

/** Runs steps one after the other. Returns a result for each step, also for one that was skipped. */
export async function runSteps(steps: readonly Step[], run: (query: Query) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const step of steps) {
    const query = typeof step === 'function' ? step(results) : step;
    results.push(query ? await run(query) : NOTHING);
  }
  return results;
}

/** Does the same as {@link runSteps}, within one turn of the event loop. */
export function runStepsAtOnce(steps: readonly Step[], run: (query: Query) => Result): Result[] {
  const results: Result[] = [];
  for (const step of steps) {
    const query = typeof step === 'function' ? step(results) : step;
    results.push(query ? run(query) : NOTHING);
  }
  return results;
}

/**
 * Tells whether the steps take a lock that a rollback does not release. On such a database, a migration that fails is
 * not rolled back completely either, so it must not run again.
 */
export function takesLastingLock({ migrationLock }: Dialect, steps: readonly Step[]): boolean {
  return migrationLock.release.length > 0 && steps.some((step) => migrationLock.take.includes(step as Query));
}

/** Tells whether a statement is a `select`. */
export function isSelect(sql: string): boolean {
  return /^\s*select\b/i.test(sql);
}

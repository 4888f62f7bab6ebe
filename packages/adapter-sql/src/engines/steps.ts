import type { Dialect, Query, Result, Step } from '../dialect.ts';

/** What a step that was left out did. */
const NOTHING: Result = { rows: [], affected: 0 };

/** Runs steps one after the other. The results stand in the order of the steps, those left out among them. */
export async function runSteps(steps: readonly Step[], run: (query: Query) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const step of steps) {
    const query = typeof step === 'function' ? step(results) : step;
    results.push(query ? await run(query) : NOTHING);
  }
  return results;
}

/** {@link runSteps} within one turn of the event loop. */
export function runStepsAtOnce(steps: readonly Step[], run: (query: Query) => Result): Result[] {
  const results: Result[] = [];
  for (const step of steps) {
    const query = typeof step === 'function' ? step(results) : step;
    results.push(query ? run(query) : NOTHING);
  }
  return results;
}

/**
 * Do the steps take a lock that a rollback does not let go of? Where that is so, a migration is no transaction either: part
 * of it may have been kept when it fails.
 */
export function outlastRollback({ migrationLock }: Dialect, steps: readonly Step[]): boolean {
  return migrationLock.release.length > 0 && steps.some((step) => migrationLock.take.includes(step as Query));
}

/** Is it a `select`, which affects no rows? */
export function isSelect(sql: string): boolean {
  return /^\s*select\b/i.test(sql);
}

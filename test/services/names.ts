import { randomBytes } from 'node:crypto';

const pattern = /^lk_([0-9a-z]{6,8})_((?:[0-9a-f]{6})?[0-9a-f]{12})$/;
/** Milliseconds. A database or key with an older name was left behind by a run. */
const hour = 60 * 60 * 1000;
const variable = 'LATCHKEY_TEST_RUN';

/**
 * Begins a test run: names that this process and its children make from now on have its mark.
 *
 * @returns The mark; `undefined` if a run has begun already.
 */
export function beginRun(): string | undefined {
  if (currentRun() !== '') return undefined;
  const mark = randomBytes(3).toString('hex');
  process.env[variable] = mark;
  return mark;
}

/** Returns the mark of the current test run; '' outside of a run. */
export function currentRun(): string {
  return process.env[variable] ?? '';
}

/** Returns an unused name for a database or key: `lk_<seconds since 1970 in base 36>_<mark of the run><random>`. */
export function freshName(now: Date = new Date(), run: string = currentRun()): string {
  const random = randomBytes(6).toString('hex');
  return `lk_${Math.floor(now.getTime() / 1000).toString(36)}_${run}${random}`;
}

/** Tells whether {@link freshName} made a name, more than an hour ago. */
export function isStale(name: string, now: Date = new Date()): boolean {
  const stamp = pattern.exec(name)?.[1];
  return stamp !== undefined && now.getTime() - Number.parseInt(stamp, 36) * 1000 > hour;
}

/** Tells whether {@link freshName} made a name in this test run. */
export function isOfRun(name: string, run: string): boolean {
  return run !== '' && pattern.exec(name)?.[2]?.startsWith(run) === true;
}

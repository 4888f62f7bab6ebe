import { randomBytes } from 'node:crypto';

const pattern = /^lk_([0-9a-z]{6,8})_((?:[0-9a-f]{6})?[0-9a-f]{12})$/;
/** Milliseconds after which whatever carries a name counts as left behind. */
const hour = 60 * 60 * 1000;
const variable = 'LATCHKEY_TEST_RUN';

/**
 * Marks all names that this process and its children make from now on as those of one test run.
 *
 * @returns The mark; `undefined` when they are marked already.
 */
export function beginRun(): string | undefined {
  if (currentRun() !== '') return undefined;
  const mark = randomBytes(3).toString('hex');
  process.env[variable] = mark;
  return mark;
}

/** The mark of the test run that we are part of; '' when there is nobody who would sweep up after it. */
export function currentRun(): string {
  return process.env[variable] ?? '';
}

/** A name that nobody uses, fit for a database and a key: `lk_<seconds since 1970 in base 36>_<mark of the run><random>`. */
export function freshName(now: Date = new Date(), run: string = currentRun()): string {
  const random = randomBytes(6).toString('hex');
  return `lk_${Math.floor(now.getTime() / 1000).toString(36)}_${run}${random}`;
}

/** Whether a name is one of {@link freshName} and older than an hour. */
export function isStale(name: string, now: Date = new Date()): boolean {
  const stamp = pattern.exec(name)?.[1];
  return stamp !== undefined && now.getTime() - Number.parseInt(stamp, 36) * 1000 > hour;
}

/** Whether a name is one that {@link freshName} made in that test run. */
export function isOfRun(name: string, run: string): boolean {
  return run !== '' && pattern.exec(name)?.[2]?.startsWith(run) === true;
}

import { type Failures, membersOf } from './failures.ts';

/** `serialization_failure` and `deadlock_detected`. */
const LOST: ReadonlySet<unknown> = new Set(['40001', '40P01']);

/** PostgreSQL's errors, which drivers tell by `code`, the SQLSTATE. The message's `detail` holds values, `constraint` none. */
export const postgresFailures: Failures = {
  isLost: (error) => LOST.has(membersOf(error)['code']),
  violated(error) {
    const { code, constraint } = membersOf(error);
    if (code !== '23505') return null;
    return typeof constraint === 'string' ? constraint : 'unnamed';
  },
};

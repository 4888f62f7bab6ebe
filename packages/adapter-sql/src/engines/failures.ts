import type { DialectName } from '../dialect.ts';
import { UniqueViolation } from '../errors.ts';

/** The meaning of a database's errors. */
export interface Failures {
  /**
   * Tells whether the statement or transaction failed because of another one. It was rolled back, and can run again.
   */
  isLost(error: unknown): boolean;
  /** Returns the name of the unique constraint that the row violates; `null` for any other error. */
  violated(error: unknown): string | null;
}

/** Milliseconds after the start during which work runs again. */
const PATIENCE = 5000;

/**
 * Runs work again while it fails because of other transactions, for at most five seconds.
 *
 * @throws {UniqueViolation} if the row exists. Other errors are those of the driver.
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

/** Continues like {@link retrying} after a first attempt that failed with `error`, and that began at `begun`. */
export function retryingAfter<Result>(
  error: unknown,
  failures: Failures,
  work: () => Result | Promise<Result>,
  begun: number,
): Promise<Result> {
  if (!failures.isLost(error) || Date.now() - begun >= PATIENCE) throw translated(failures, error);
  return pauseFor(1).then(() => retrying(failures, work, begun));
}

/** Waits about `milliseconds`. The time is random, so that two transactions do not collide again. */
function pauseFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds * (0.5 + Math.random())));
}

/** Returns the adapter's error for an error of the driver. */
export function translated(failures: Failures, error: unknown): unknown {
  const constraint = failures.violated(error);
  return constraint === null ? error : new UniqueViolation(constraint, { cause: error });
}

/** Returns the members of an error, which may be any value. */
export function membersOf(error: unknown): Readonly<Record<string, unknown>> {
  return typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
}

const SQLITE_UNIQUE: ReadonlySet<unknown> = new Set([
  2067,
  'SQLITE_CONSTRAINT_UNIQUE',
  1555,
  'SQLITE_CONSTRAINT_PRIMARYKEY',
]);

/**
 * Errors of SQLite. `node:sqlite` has the extended result code as a number, `better-sqlite3` as a name, and libSQL's
 * client as either. A libSQL server may send only the primary code.
 */
export const sqliteFailures: Failures = {
  isLost: (error) =>
    codesOf(error).some((code) =>
      typeof code === 'number' ? (code & 0xff) === 5 : typeof code === 'string' && /^SQLITE_BUSY/.test(code),
    ),
  violated(error) {
    // "UNIQUE constraint failed: auth_users.email": the message has names and no values.
    const named = /UNIQUE constraint failed: (.*)/.exec(String(membersOf(error)['message']))?.[1];
    const codes = codesOf(error);
    if (codes.some((code) => SQLITE_UNIQUE.has(code))) return named ?? 'unnamed';
    return named !== undefined && codes.includes('SQLITE_CONSTRAINT') ? named : null;
  },
};

function codesOf(error: unknown): unknown[] {
  const { errcode, code, extendedCode, rawCode } = membersOf(error);
  return [errcode, code, extendedCode, rawCode];
}

/** `serialization_failure` and `deadlock_detected`. */
const POSTGRES_LOST: ReadonlySet<unknown> = new Set(['40001', '40P01']);

/** Errors of PostgreSQL. `code` is the SQLSTATE. `detail` contains values, `constraint` does not. */
export const postgresFailures: Failures = {
  isLost: (error) => POSTGRES_LOST.has(membersOf(error)['code']),
  violated(error) {
    const { code, constraint } = membersOf(error);
    if (code !== '23505') return null;
    return typeof constraint === 'string' ? constraint : 'unnamed';
  },
};

/** Deadlock, lock wait timeout, row changed since it was read (MariaDB), and rollback by the cluster. */
const MYSQL_LOST: ReadonlySet<unknown> = new Set([1213, 1205, 1020, 3101]);

/** `ER_DUP_ENTRY` and `ER_DUP_ENTRY_WITH_KEY_NAME`. */
const MYSQL_DUPLICATE: ReadonlySet<unknown> = new Set([1062, 1586]);

/**
 * Errors of MySQL and MariaDB. The server may roll back only the statement, so the engine rolls back the transaction.
 */
export const mysqlFailures: Failures = {
  isLost: (error) => MYSQL_LOST.has(membersOf(error)['errno']),
  violated(error) {
    const { errno, sqlMessage } = membersOf(error);
    if (!MYSQL_DUPLICATE.has(errno)) return null;
    // "Duplicate entry 'value' for key 'name'": the name is last in every language of the server.
    return /'([^']+)'[^']*$/.exec(String(sqlMessage))?.[1] ?? 'unnamed';
  },
};

/** The errors of each dialect. */
export const failuresOf: Readonly<Record<DialectName, Failures>> = {
  sqlite: sqliteFailures,
  postgres: postgresFailures,
  mysql: mysqlFailures,
};

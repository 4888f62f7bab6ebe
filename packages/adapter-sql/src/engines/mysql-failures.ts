import { type Failures, membersOf } from './failures.ts';

/**
 * Deadlock; another's lock lasted too long; another changed the row since it was read (MariaDB); the cluster told the server
 * to roll back.
 */
const LOST: ReadonlySet<unknown> = new Set([1213, 1205, 1020, 3101]);

/** `ER_DUP_ENTRY`, and the same with the key's name. */
const DUPLICATE: ReadonlySet<unknown> = new Set([1062, 1586]);

/** Errors of MySQL and MariaDB. After one that lost, the engine rolls back: the server itself may undo only the statement. */
export const mysqlFailures: Failures = {
  isLost: (error) => LOST.has(membersOf(error)['errno']),
  violated(error) {
    const { errno, sqlMessage } = membersOf(error);
    if (!DUPLICATE.has(errno)) return null;
    // "Duplicate entry 'value' for key 'name'": in every language the name comes last.
    return /'([^']+)'[^']*$/.exec(String(sqlMessage))?.[1] ?? 'unnamed';
  },
};

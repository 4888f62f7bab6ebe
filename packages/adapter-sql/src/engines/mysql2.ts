import type { Engine, Query, Result, Row } from '../dialect.ts';
import { mysql } from '../dialects/mysql.ts';
import { retrying, translated } from './failures.ts';
import { mysqlFailures } from './mysql-failures.ts';
import { outlastRollback, runSteps } from './steps.ts';

/** What we need of a pool of `mysql2/promise`. */
export interface MysqlPool extends MysqlStatements {
  getConnection(): Promise<MysqlConnection>;
}

/** A pool of `mysql2` with callbacks, which has one with promises. */
export interface MysqlCallbackPool {
  promise(): MysqlPool;
}

/** A connection of a {@link MysqlPool}, until it is released. */
export interface MysqlConnection extends MysqlStatements {
  beginTransaction(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  release(): void;
  destroy(): void;
}

/** What pools and connections do. */
export interface MysqlStatements {
  /** By a statement that the server keeps. */
  execute(query: MysqlQuery): Promise<[unknown, unknown]>;
  query(query: MysqlQuery): Promise<[unknown, unknown]>;
}

/** A statement for a {@link MysqlPool}, with all that says how its rows look. */
export interface MysqlQuery {
  sql: string;
  values: (string | number | boolean | null)[];
  rowsAsArray: boolean;
  nestTables: boolean;
  supportBigNumbers: boolean;
  typeCast: (field: unknown, next: () => unknown) => unknown;
}

/** Whatever the application has set for its pool. Numbers that would lose digits become text. */
const MANNERS = {
  rowsAsArray: false,
  nestTables: false,
  supportBigNumbers: true,
  typeCast: (_field: unknown, next: () => unknown) => next(),
};

/** Runs statements on a pool of MySQL or MariaDB connections. */
export function mysqlEngine(db: MysqlPool | MysqlCallbackPool): Engine {
  const pool = 'promise' in db ? db.promise() : db;

  async function transaction<Result>(
    work: (connection: MysqlConnection) => Promise<Result>,
    undo: readonly Query[],
  ): Promise<Result> {
    const connection = await pool.getConnection();
    let broken = false;
    try {
      await connection.beginTransaction();
      const result = await work(connection);
      await connection.commit();
      return result;
    } catch (error) {
      try {
        await connection.rollback();
        for (const query of undo) await execute(connection, query);
      } catch {
        broken = true;
      }
      throw error;
    } finally {
      // A connection whose end is unknown does not return to the pool.
      if (broken) connection.destroy();
      else connection.release();
    }
  }

  return {
    dialect: mysql,
    run: (query) => retrying(mysqlFailures, () => execute(pool, query)),
    async batch(steps, check) {
      const once = outlastRollback(mysql, steps);
      const work = () =>
        transaction(
          async (connection) => {
            const results = await runSteps(steps, (query) => execute(connection, query));
            check?.(results);
            return results;
          },
          once ? mysql.migrationLock.release : [],
        );
      if (!once) return retrying(mysqlFailures, work);
      return work().catch((error: unknown) => {
        throw translated(mysqlFailures, error);
      });
    },
  };
}

async function execute(on: MysqlStatements, { sql, parameters }: Query): Promise<Result> {
  const query = { ...MANNERS, sql, values: [...parameters] };
  const [answer] = await (parameters.length > 0 ? on.execute(query) : on.query(query));
  if (Array.isArray(answer)) return { rows: answer as Row[], affected: 0 };
  const { affectedRows, insertId, info } = answer as { affectedRows: number; insertId: number | string; info?: string };
  return {
    rows: [],
    // "Rows matched: 1  Changed: 0  Warnings: 0", in the server's language. A pool may be set to count the changed ones only.
    affected: Number((/^\s*update\b/i.test(sql) && /\d+/.exec(info ?? '')?.[0]) || affectedRows),
    insertId: String(insertId) === '0' ? undefined : String(insertId),
  };
}

import type { Engine, Query, Result, Row } from '../dialect.ts';
import { mysql } from '../dialects/mysql.ts';
import { mysqlFailures, retrying, translated } from './failures.ts';
import { runSteps, takesLastingLock } from './steps.ts';

/** The part of a pool of `mysql2/promise` that the adapter uses. */
export interface MysqlPool extends MysqlStatements {
  getConnection(): Promise<MysqlConnection>;
}

/** A pool of `mysql2` with callbacks. */
export interface MysqlCallbackPool {
  promise(): MysqlPool;
}

/** A connection of a {@link MysqlPool}, until it is released. */
interface MysqlConnection extends MysqlStatements {
  beginTransaction(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  release(): void;
  destroy(): void;
}

/** The methods of pools and connections that run statements. */
interface MysqlStatements {
  /** Runs a prepared statement. */
  execute(query: MysqlQuery): Promise<[unknown, unknown]>;
  query(query: MysqlQuery): Promise<[unknown, unknown]>;
}

/** A statement for a {@link MysqlPool}, with the format of its rows. */
interface MysqlQuery {
  sql: string;
  values: (string | number | boolean | null)[];
  rowsAsArray: boolean;
  nestTables: boolean;
  supportBigNumbers: boolean;
  typeCast: (field: unknown, next: () => unknown) => unknown;
}

/** Replaces the pool's options. Numbers that JavaScript would round become text. */
const ROW_FORMAT = {
  rowsAsArray: false,
  nestTables: false,
  supportBigNumbers: true,
  typeCast: (_field: unknown, next: () => unknown) => next(),
};

/** Returns an engine for a pool of MySQL or MariaDB connections. */
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
      // A connection that does not roll back does not return to the pool.
      if (broken) connection.destroy();
      else connection.release();
    }
  }

  return {
    dialect: mysql,
    run: (query) => retrying(mysqlFailures, () => execute(pool, query)),
    async batch(steps, check) {
      const once = takesLastingLock(mysql, steps);
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
  const query = { ...ROW_FORMAT, sql, values: [...parameters] };
  const [answer] = await (parameters.length > 0 ? on.execute(query) : on.query(query));
  if (Array.isArray(answer)) return { rows: answer as Row[], affected: 0 };
  const { affectedRows, insertId, info } = answer as { affectedRows: number; insertId: number | string; info?: string };
  return {
    rows: [],
    // "Rows matched: 1  Changed: 0  Warnings: 0", in the server's language. `affectedRows` may count only changed rows.
    affected: Number((/^\s*update\b/i.test(sql) && /\d+/.exec(info ?? '')?.[0]) || affectedRows),
    insertId: String(insertId) === '0' ? undefined : String(insertId),
  };
}

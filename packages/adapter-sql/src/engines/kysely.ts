import { CompiledQuery } from 'kysely';
import type { Dialect, DialectName, Engine, Query, Result, Row } from '../dialect.ts';
import { dialects } from '../dialects/index.ts';
import { type Failures, retrying, translated } from './failures.ts';
import { mysqlFailures } from './mysql-failures.ts';
import { postgresFailures } from './postgres-failures.ts';
import { sqliteFailures } from './sqlite-failures.ts';
import { isSelect, outlastRollback, runSteps } from './steps.ts';

/** What we need of a `Kysely`, which may be of another version than ours. */
export interface KyselyDatabase {
  readonly isTransaction: boolean;
  withoutPlugins(): unknown;
  transaction(): unknown;
  executeQuery(query: never): Promise<unknown>;
}

/** The same, more closely. */
interface Instance {
  selectFrom(table: string): {
    select(column: string): { where(column: string, operator: '=', value: number): { compile(): { sql: string } } };
  };
  executeQuery(query: CompiledQuery): Promise<{ rows: unknown[]; numAffectedRows?: bigint; insertId?: bigint }>;
  transaction(): { execute<Result>(work: (transaction: Instance) => Promise<Result>): Promise<Result> };
}

const failuresOf: Readonly<Record<DialectName, Failures>> = {
  sqlite: sqliteFailures,
  postgres: postgresFailures,
  mysql: mysqlFailures,
};

/**
 * Runs statements by the application's own Kysely, without its plugins.
 *
 * @param name The dialect, where Kysely's own way of writing does not tell.
 * @throws {TypeError} when it is a transaction, or writes no dialect that we know.
 */
export function kyselyEngine(db: KyselyDatabase, name?: DialectName): Engine {
  if (db.isTransaction)
    throw new TypeError(
      'the adapter outlives a transaction of Kysely. Hand it the `Kysely` that the transaction is made of',
    );
  const instance = db.withoutPlugins() as Instance;
  const dialect = dialects[name ?? dialectOf(instance)];
  const failures = failuresOf[dialect.name];

  return {
    dialect,
    run: (query) => retrying(failures, () => execute(instance, query)),
    async batch(steps, check) {
      const once = outlastRollback(dialect, steps);
      const work = () =>
        instance.transaction().execute(async (transaction) => {
          try {
            const results = await runSteps(steps, (query) => execute(transaction, query));
            check?.(results);
            return results;
          } catch (error) {
            if (once) await release(transaction, dialect);
            throw error;
          }
        });
      if (!once) return retrying(failures, work);
      return work().catch((error: unknown) => {
        throw translated(failures, error);
      });
    },
  };
}

async function release(transaction: Instance, { migrationLock }: Dialect): Promise<void> {
  try {
    for (const query of migrationLock.release) await execute(transaction, query);
  } catch {
    // The connection broke, and its locks are gone. The error that led here counts.
  }
}

async function execute(on: Instance, { sql, parameters }: Query): Promise<Result> {
  const { rows, numAffectedRows, insertId } = await on.executeQuery(CompiledQuery.raw(sql, [...parameters]));
  return {
    rows: rows as Row[],
    // Kysely counts nothing where SQLite returns rows.
    affected: isSelect(sql) ? 0 : Number(numAffectedRows ?? rows.length),
    insertId: insertId === undefined ? undefined : String(insertId),
  };
}

/** Tells the dialect by what it writes: classes have other names in a bundle. */
function dialectOf(instance: Instance): DialectName {
  const { sql } = instance.selectFrom('a').select('b').where('b', '=', 0).compile();
  if (sql.includes('$1')) return 'postgres';
  if (sql.includes('`')) return 'mysql';
  if (sql.includes('"') && sql.includes('?')) return 'sqlite';
  throw new TypeError(
    'the Kysely writes a dialect that the adapter does not know. Say which one it is like, by the option `dialect`: ' +
      Object.keys(dialects).join(', '),
  );
}

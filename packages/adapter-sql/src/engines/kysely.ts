import { CompiledQuery } from 'kysely';
import type { Dialect, DialectName, Engine, Query, Result, Row } from '../dialect.ts';
import { dialects } from '../dialects/index.ts';
import { failuresOf, retrying, translated } from './failures.ts';
import { isSelect, runSteps, takesLastingLock } from './steps.ts';

/** The part of a `Kysely` that the adapter uses. Its version may differ from the adapter's own. */
export interface KyselyDatabase {
  readonly isTransaction: boolean;
  withoutPlugins(): unknown;
  transaction(): unknown;
  executeQuery(query: never): Promise<unknown>;
}

/** The same with more types. */
interface Instance {
  selectFrom(table: string): {
    select(column: string): { where(column: string, operator: '=', value: number): { compile(): { sql: string } } };
  };
  executeQuery(query: CompiledQuery): Promise<{ rows: unknown[]; numAffectedRows?: bigint; insertId?: bigint }>;
  transaction(): { execute<Result>(work: (transaction: Instance) => Promise<Result>): Promise<Result> };
}

/**
 * Returns an engine that uses the application's Kysely without its plugins.
 *
 * @param name The dialect. Default: recognized by the SQL that it writes.
 * @throws {TypeError} if it is a transaction, or if the dialect is not recognized.
 */
export function kyselyEngine(db: KyselyDatabase, name?: DialectName): Engine {
  if (db.isTransaction)
    throw new TypeError('the database must not be a transaction of Kysely. Pass the `Kysely` that began it');
  const instance = db.withoutPlugins() as Instance;
  const dialect = dialects[name ?? dialectOf(instance)];
  const failures = failuresOf[dialect.name];

  return {
    dialect,
    run: (query) => retrying(failures, () => execute(instance, query)),
    async batch(steps, check) {
      const once = takesLastingLock(dialect, steps);
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
    // The connection is broken, which releases its locks. The caller gets the first error.
  }
}

async function execute(on: Instance, { sql, parameters }: Query): Promise<Result> {
  const { rows, numAffectedRows, insertId } = await on.executeQuery(CompiledQuery.raw(sql, [...parameters]));
  return {
    rows: rows as Row[],
    // If SQLite returns rows, Kysely does not count them.
    affected: isSelect(sql) ? 0 : Number(numAffectedRows ?? rows.length),
    insertId: insertId === undefined ? undefined : String(insertId),
  };
}

/** Recognizes the dialect by the SQL that it writes, because a bundler may rename classes. */
function dialectOf(instance: Instance): DialectName {
  const { sql } = instance.selectFrom('a').select('b').where('b', '=', 0).compile();
  if (sql.includes('$1')) return 'postgres';
  if (sql.includes('`')) return 'mysql';
  if (sql.includes('"') && sql.includes('?')) return 'sqlite';
  throw new TypeError(
    'the dialect of the Kysely is not recognized. Set the option `dialect` to the one that it is compatible with: ' +
      Object.keys(dialects).join(', '),
  );
}

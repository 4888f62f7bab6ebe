import type { RateLimitRule, RateLimitStore } from '@latchkey/core/types';
import { sql } from 'kysely';
import { type Database, type EngineOptions, engineOf } from './database.ts';
import type { Dialect, DialectName, Engine, Query, Result } from './dialect.ts';
import { dialectNamed } from './dialects/index.ts';
import { locked } from './migrate/migrate.ts';
import { indexPlace } from './migrate/plan.ts';
import { countersOf } from './rate-limit-counters.ts';
import { indexName, isTableName } from './schema/names.ts';
import { writerOf } from './statement.ts';

/** Options of {@link SqlRateLimits}. */
export interface SqlRateLimitsOptions extends EngineOptions {
  /** Name of the table, with or without its schema. Default: `auth_rateLimits`. */
  table?: string | undefined;
  /** Create the table before the first statement if it does not exist. Default: `true`. */
  migrate?: boolean | undefined;
}

/** The counters of a database. */
export interface SqlRateLimits extends RateLimitStore {
  take(counter: string, rule: RateLimitRule): Promise<Date | null>;
  release(counter: string, at: Date): Promise<void>;
  /**
   * Deletes expired counters. Returns the number of deleted rows. The store also does this by itself, at most once a
   * minute.
   *
   * @param now The current time. Default: the system's clock.
   */
  cleanup(now?: Date): Promise<number>;
}

/** Milliseconds between two deletions of expired counters by one process. */
const SWEEP = 60_000;
const TABLE = 'auth_rateLimits';

/**
 * Returns a store for `rateLimit` that keeps its counters in a table. All processes that use the database count
 * together.
 *
 * ```ts
 * const config = { providers, adapter: SqlAdapter(pool), rateLimit: { store: SqlRateLimits(pool) } };
 * ```
 *
 * @throws {TypeError} if the adapter does not support `db`, or if `table` is not a table's name.
 */
export function SqlRateLimits(db: Database, options: SqlRateLimitsOptions = {}): SqlRateLimits {
  const engine = engineOf(db, options);
  const table = checkName(options.table ?? TABLE);
  const counters = countersOf(engine, table);
  let opening: Promise<void> | undefined;
  let lastSweep = Number.NEGATIVE_INFINITY;

  async function open(): Promise<void> {
    opening ??= options.migrate === false ? Promise.resolve() : createTable(engine, table);
    try {
      await opening;
    } catch (error) {
      // The next call tries again.
      opening = undefined;
      throw error;
    }
  }

  return {
    async take(counter, rule) {
      await open();
      const now = rule.now.getTime();
      if (Math.abs(now - lastSweep) >= SWEEP) {
        lastSweep = now;
        await counters.sweep(now);
      }
      return counters.take(counter, rule);
    },
    async release(counter, at) {
      await open();
      await counters.release(counter, at);
    },
    async cleanup(now = new Date()) {
      await open();
      return counters.sweep(now.getTime());
    },
  };
}

/**
 * Returns the statements that create the table of counters, for applications that run their own migrations.
 *
 * ```ts
 * writeFileSync('rate-limits.sql', rateLimitsSql('postgres'));
 * ```
 *
 * @param table Name of the table, with or without its schema. Default: `auth_rateLimits`.
 * @throws {TypeError} if no dialect has this name, or if `table` is not a table's name.
 */
export function rateLimitsSql(dialect: DialectName, table: string = TABLE): string {
  return creation(dialectNamed(dialect), checkName(table))
    .map((query) => `${query.sql};\n`)
    .join('');
}

function checkName(table: string): string {
  if (!isTableName(table)) throw new TypeError(`\`table\` must be a table's name: ${JSON.stringify(table)}`);
  return table;
}

async function createTable(engine: Engine, table: string): Promise<void> {
  const columns = engine.dialect.columnsOf(table);
  if ((await engine.run(columns)).rows.length > 0) return;
  const position = engine.dialect.migrationLock.take.length + 1;
  // While this process waited for the lock, another one may have created the table.
  const unlessExists = creation(engine.dialect, table).map(
    (query) =>
      (results: readonly Result[]): Query | null =>
        results[position]?.rows.length ? null : query,
  );
  await locked(engine, [columns, ...unlessExists]);
}

/**
 * `counter` is an HMAC, `taken` the counted times in milliseconds, separated by spaces, and `expires` the end of the
 * last.
 */
function creation(dialect: Dialect, table: string): Query[] {
  const write = writerOf(dialect);
  const { types, tableSuffix } = dialect;
  const columns = write.schema
    .createTable(table)
    .addColumn('counter', sql.raw(types.key), (column) => column.notNull().primaryKey())
    .addColumn('taken', sql.raw(types.text), (column) => column.notNull())
    .addColumn('expires', sql.raw(types.number), (column) => column.notNull());
  const whole = tableSuffix === '' ? columns : columns.modifyEnd(sql.raw(tableSuffix));
  const { name, on } = indexPlace(dialect, table, indexName(table, ['expires']));
  const index = sql`create index ${name} on ${on} (${sql.ref('expires')})`;
  return [whole.compile(), index.compile(write)].map((compiled) => ({ sql: compiled.sql, parameters: [] }));
}

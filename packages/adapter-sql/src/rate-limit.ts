import type { RateLimitRule, RateLimitStore } from '@latchkey/core/types';
import { type Database, type EngineOptions, engineOf } from './database.ts';
import type { DialectName } from './dialect.ts';
import { dialectNamed } from './dialects/index.ts';
import { checkTableName, creationSql, type OwnTable, openerOf } from './own-tables.ts';
import { countersOf } from './rate-limit-counters.ts';

/** Options of {@link SqlRateLimits}. */
export interface SqlRateLimitsOptions extends EngineOptions {
  /** Name of the table, with or without its schema. Default: `auth_rateLimits`. */
  table?: string | undefined;
  /** Create the table before the first statement if it does not exist. Default: `true`. */
  migrate?: boolean | undefined;
}

/** The counters of a database. */
export interface SqlRateLimits extends RateLimitStore {
  /** See {@link RateLimitStore.take}. */
  take(counter: string, rule: RateLimitRule): Promise<Date | null>;
  /** See {@link RateLimitStore.release}. */
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
  const table = tableOf(options.table ?? TABLE);
  const counters = countersOf(engine, table.name);
  const open = openerOf(engine, [table], options.migrate);
  let lastSweep = Number.NEGATIVE_INFINITY;

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
  return creationSql(dialectNamed(dialect), [tableOf(table)]);
}

/**
 * `counter` is an HMAC, `taken` the counted times in milliseconds, separated by spaces, and `expires` the end of the
 * last.
 */
function tableOf(name: string): OwnTable {
  return {
    name: checkTableName('table', name),
    columns: [
      { name: 'counter', kind: 'key' },
      { name: 'taken', kind: 'text' },
      { name: 'expires', kind: 'number' },
    ],
    indexes: [['expires']],
  };
}

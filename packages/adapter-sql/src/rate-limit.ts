import type { RateLimitRule, RateLimitStore } from '@latchkey/core/types';
import { type Database, type EngineOptions, engineOf } from './engine-of.ts';
import { countersOf } from './rate-limit-counters.ts';
import { checkedName, createRateLimits, RATE_LIMITS } from './rate-limit-table.ts';

/** Options of {@link SqlRateLimits}. */
export interface SqlRateLimitsOptions extends EngineOptions {
  /** Name of the table; may have a schema before it. Default: `auth_rateLimits`. */
  table?: string | undefined;
  /** Create the table before the first statement, where it is missing. Default: `true`. */
  migrate?: boolean | undefined;
}

/** The counters of a database. */
export interface SqlRateLimits extends RateLimitStore {
  take(counter: string, rule: RateLimitRule): Promise<Date | null>;
  giveBack(counter: string, at: Date): Promise<void>;
  /**
   * Deletes what counts no more; resolves to the number of rows deleted. Happens by itself once a minute while something is counted.
   *
   * @param now Default: the system's clock.
   */
  cleanup(now?: Date): Promise<number>;
}

/** Milliseconds between two sweeps by one process. */
const SWEEP = 60_000;

/**
 * Keeps the counters of `rateLimit` in a table of its own, for all processes that share the database.
 *
 * ```ts
 * const config = { providers, adapter: SqlAdapter(pool), rateLimit: { store: SqlRateLimits(pool) } };
 * ```
 *
 * @throws {TypeError} when `db` is no database that the adapter knows, or `table` is no name for a table.
 */
export function SqlRateLimits(db: Database, options: SqlRateLimitsOptions = {}): SqlRateLimits {
  const engine = engineOf(db, options);
  const table = checkedName(options.table ?? RATE_LIMITS);
  const counters = countersOf(engine, table);
  const state: { opening?: Promise<void> | undefined; swept: number } = { swept: Number.NEGATIVE_INFINITY };

  function opened(): Promise<void> {
    state.opening ??= (options.migrate === false ? Promise.resolve() : createRateLimits(engine, table)).catch(
      (error) => {
        // Tried again by the next call.
        state.opening = undefined;
        throw error;
      },
    );
    return state.opening;
  }

  return {
    async take(counter, rule) {
      await opened();
      const now = rule.now.getTime();
      if (Math.abs(now - state.swept) >= SWEEP) {
        state.swept = now;
        await counters.sweep(now);
      }
      return counters.take(counter, rule);
    },
    async giveBack(counter, at) {
      await opened();
      await counters.giveBack(counter, at);
    },
    async cleanup(now = new Date()) {
      await opened();
      return counters.sweep(now.getTime());
    },
  };
}

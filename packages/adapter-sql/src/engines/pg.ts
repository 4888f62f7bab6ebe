import type { Engine, Query, Result, Row } from '../dialect.ts';
import { postgres } from '../dialects/postgres.ts';
import { type Failures, membersOf, postgresFailures, retrying, retryingAfter } from './failures.ts';
import { asItIs, type Parser, textParsers } from './postgres-values.ts';
import { runSteps } from './steps.ts';

/** The part of a PostgreSQL pool that the adapter uses: `Pool` of `pg` or of `@neondatabase/serverless`. */
export interface PgPool {
  query(query: PgQuery): Promise<PgResult>;
  connect(): Promise<PgClient>;
  /** Number of connections. A single connection does not have this member. */
  readonly totalCount: number;
  on?(event: 'error', listener: (error: Error) => void): unknown;
  on?(event: 'acquire', listener: (client: PgClient) => void): unknown;
  listenerCount?(event: 'error'): number;
}

/** A connection of a {@link PgPool}, until it is released. */
interface PgClient {
  query(query: PgQuery): Promise<PgResult>;
  release(broken?: boolean): void;
  on?(event: 'error', listener: (error: Error) => void): unknown;
  off?(event: 'error', listener: (error: Error) => void): unknown;
}

/** A statement for a {@link PgPool}. */
interface PgQuery {
  text: string;
  values?: unknown[];
  name?: string;
  types?: { getTypeParser(type: number, format?: string): Parser };
}

/** The result of a statement of a {@link PgPool}. */
interface PgResult {
  readonly command: string;
  readonly rowCount: number | null;
  readonly rows: readonly object[];
}

/** Replaces the type parsers that the application has set for all connections or for this pool. */
const types = {
  getTypeParser: (type: number, format?: string): Parser =>
    format === 'binary' ? refuseBinary : (textParsers[type] ?? asItIs),
};

/** `pg` decodes binary numbers as UTF-8, which corrupts many of them. */
function refuseBinary(): never {
  throw new TypeError(
    'the pool requests binary values, which pg does not decode correctly. Remove its option `binary`',
  );
}

function resultOf({ command, rowCount, rows }: PgResult): Result {
  return { rows: rows as readonly Row[], affected: WRITES.has(command) ? (rowCount ?? 0) : 0 };
}

const WRITES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/**
 * Returns an engine for a pool of PostgreSQL connections.
 *
 * @param prepare Use prepared statements.
 */
export function pgEngine(pool: PgPool, prepare: boolean): Engine {
  const names = preparedNames(prepare);
  const failures: Failures = {
    isLost: (error) => postgresFailures.isLost(error) || names.isOutdated(error),
    violated: postgresFailures.violated,
  };
  ignoreErrorsOfIdleConnections(pool);
  ignoreErrorsOfNewConnections(pool);

  function send(on: Pick<PgPool, 'query'>, { sql, parameters }: Query): Promise<PgResult> {
    const query: PgQuery = { text: sql, values: [...parameters], types };
    const name = parameters.length > 0 ? names.of(sql) : undefined;
    if (name !== undefined) query.name = name;
    return on.query(query);
  }

  const execute = (on: Pick<PgPool, 'query'>, query: Query): Promise<Result> => send(on, query).then(resultOf);

  return {
    dialect: postgres,
    run: (query) => {
      const begun = Date.now();
      const again = (error: unknown): Promise<Result> =>
        retryingAfter(error, failures, () => execute(pool, query), begun);
      try {
        return send(pool, query).then(resultOf, again);
      } catch (error) {
        return again(error);
      }
    },
    batch: (steps, check) =>
      retrying(failures, () =>
        transaction(pool, async (client) => {
          const results = await runSteps(steps, (query) => execute(client, query));
          check?.(results);
          return results;
        }),
      ),
  };
}

/** A connection that does not roll back, because it is broken, does not return to the pool. */
async function transaction<Result>(pool: PgPool, work: (client: PgClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let broken = false;
  // A connection that breaks between two statements emits an event. The next statement fails as well.
  client.on?.('error', ignore);
  try {
    await client.query({ text: 'begin' });
    const result = await work(client);
    await client.query({ text: 'commit' });
    return result;
  } catch (error) {
    await client.query({ text: 'rollback' }).catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.off?.('error', ignore);
    client.release(broken);
  }
}

/**
 * If an idle connection breaks, the pool emits an event `error`, which ends the process unless it has a listener. The
 * pool makes a new connection by itself.
 */
function ignoreErrorsOfIdleConnections(pool: PgPool): void {
  if (pool.listenerCount?.('error') === 0) pool.on?.('error', ignore);
}

const watched = new WeakSet<PgPool | PgClient>();

/**
 * A pool stops listening to a connection before the promise of `connect()` resolves. An error in between, such as a
 * shutdown of the server, would have no listener, so this listener starts earlier.
 */
function ignoreErrorsOfNewConnections(pool: PgPool): void {
  if (watched.has(pool)) return;
  watched.add(pool);
  pool.on?.('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    client.on?.('error', ignore);
  });
}

function ignore(): void {}

/** Names of prepared statements. */
interface PreparedNames {
  /** Returns the name of a statement; `undefined` if it is not prepared. */
  of(sql: string): string | undefined;
  /**
   * Tells whether a statement failed only because of its name. If so, the names change, and the statement can run
   * again.
   */
  isOutdated(error: unknown): boolean;
}

/** `invalid_sql_statement_name` and `duplicate_prepared_statement`. */
const ANOTHER_SERVER: ReadonlySet<unknown> = new Set(['26000', '42P05']);

/**
 * Returns the names of prepared statements. They are derived from the text, so that all adapters of a pool use the
 * same.
 *
 * A pooler may run each transaction on another connection, on which a statement is not prepared, or already is. After
 * the first such error, statements are not prepared any more.
 */
function preparedNames(prepare: boolean): PreparedNames {
  const names = new Map<string, string>();
  let enabled = prepare;
  let generation = 0;

  return {
    of(sql) {
      if (!enabled) return undefined;
      const known = names.get(sql);
      if (known !== undefined) return known;
      const name = `latchkey_${generation}_${digest(sql)}`;
      names.set(sql, name);
      return name;
    },
    isOutdated(error) {
      // Other statements with names may still run when the first one fails.
      if (!prepare) return false;
      const { code, routine } = membersOf(error);
      if (ANOTHER_SERVER.has(code)) {
        enabled = false;
        return true;
      }
      // The type of a column was changed, so the prepared statement would return other rows, which the server refuses.
      if (routine !== 'RevalidateCachedQuery') return false;
      generation++;
      names.clear();
      return true;
    },
  };
}

/** Returns 64 bits of FNV-1a, from two offsets. */
function digest(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x050c5d1f;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x01000193) ^ (high >>> 13);
  }
  return [low, high].map((half) => (half >>> 0).toString(36)).join('');
}

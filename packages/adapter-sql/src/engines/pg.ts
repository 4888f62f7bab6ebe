import type { Engine, Query, Result, Row } from '../dialect.ts';
import { postgres } from '../dialects/postgres.ts';
import { type Failures, retrying, retryingAfter } from './failures.ts';
import { preparedNames } from './pg-prepared.ts';
import { postgresFailures } from './postgres-failures.ts';
import { asItIs, type Parser, textParsers } from './postgres-values.ts';
import { runSteps } from './steps.ts';

/** What we need of a pool of PostgreSQL connections; `Pool` of `pg`, and of `@neondatabase/serverless`, fit. */
export interface PgPool {
  query(query: PgQuery): Promise<PgResult>;
  connect(): Promise<PgClient>;
  /** Number of connections. Single connections have none, and are no pool. */
  readonly totalCount: number;
  on?(event: 'error', listener: (error: Error) => void): unknown;
  on?(event: 'acquire', listener: (client: PgClient) => void): unknown;
  listenerCount?(event: 'error'): number;
}

/** A connection of a {@link PgPool}, until it is released. */
export interface PgClient {
  query(query: PgQuery): Promise<PgResult>;
  release(broken?: boolean): void;
  on?(event: 'error', listener: (error: Error) => void): unknown;
  off?(event: 'error', listener: (error: Error) => void): unknown;
}

/** A statement for a {@link PgPool}. */
export interface PgQuery {
  text: string;
  values?: unknown[];
  name?: string;
  types?: { getTypeParser(type: number, format?: string): Parser };
}

/** What a {@link PgPool} answers. */
export interface PgResult {
  readonly command: string;
  readonly rowCount: number | null;
  readonly rows: readonly object[];
}

/** Whatever type parsers the application has set, for all connections or for this pool. */
const types = {
  getTypeParser: (type: number, format?: string): Parser =>
    format === 'binary' ? refuseBinary : (textParsers[type] ?? asItIs),
};

/** `pg` takes the bytes for UTF-8, so that half of the numbers come out wrong. */
function refuseBinary(): never {
  throw new TypeError(
    'the pool asks for values in binary, which pg does not read rightly. Leave out its option `binary`',
  );
}

function resultOf({ command, rowCount, rows }: PgResult): Result {
  return { rows: rows as readonly Row[], affected: WRITES.has(command) ? (rowCount ?? 0) : 0 };
}

const WRITES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/**
 * Runs statements on a pool of PostgreSQL connections.
 *
 * @param prepare Have the server keep the statements.
 */
export function pgEngine(pool: PgPool, prepare: boolean): Engine {
  const names = preparedNames(prepare);
  const failures: Failures = {
    isLost: (error) => postgresFailures.isLost(error) || names.isOutdated(error),
    violated: postgresFailures.violated,
  };
  outliveLostConnections(pool);
  outliveConnectionsLostOnTheWay(pool);

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

/** A connection whose end is unknown (it broke, or will not roll back) does not return to the pool. */
async function transaction<Result>(pool: PgPool, work: (client: PgClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let broken = false;
  // A connection that breaks between two statements says so by an event, and by an error of the next statement.
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
 * A pool tells by an event that an idle connection broke, and an event `error` that nobody listens to ends the process. The
 * pool makes a new connection when it needs one, so there is nothing to do.
 */
function outliveLostConnections(pool: PgPool): void {
  if (pool.listenerCount?.('error') === 0) pool.on?.('error', ignore);
}

const watched = new WeakSet<PgPool | PgClient>();

/**
 * A pool stops listening to a connection before the promise of `connect()` tells us of it. What the server has sent meanwhile, such as
 * its farewell right behind an answer, would be an event that nobody listens to. So we listen from before the pool stops.
 */
function outliveConnectionsLostOnTheWay(pool: PgPool): void {
  if (watched.has(pool)) return;
  watched.add(pool);
  pool.on?.('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    client.on?.('error', ignore);
  });
}

function ignore(): void {}

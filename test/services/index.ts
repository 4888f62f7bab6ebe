import { canFind, canStart } from './available.ts';
import type { Fresh, Kind, OwnServer, RedisOptions, StartOptions } from './engine.ts';
import { mariadbEngine } from './mariadb.ts';
import { startOwn } from './own.ts';
import { postgresEngine } from './postgres.ts';
import { type FreshPrefix, redisEngine } from './redis.ts';
import { shared } from './shared.ts';

/*
 * Real servers for tests. Call `available` or `startable` at the top of a file, where no time limit applies, because
 * the call may start a server.
 *
 *   describe.skipIf(!(await available('postgres')))('…', () => { … await (await postgres()).fresh() … });
 *   describe.skipIf(!(await startable('redis')))('…', () => { … await startRedis() … });
 *
 * A start takes about a second on an idle machine. Give the test or hook that starts a server a time limit of a minute.
 */
export type { Fresh, Kind, OwnServer, RedisOptions, Server, StartOptions } from './engine.ts';
export { ServiceMissing } from './missing.ts';
export type { FreshPrefix } from './redis.ts';

/**
 * Returns the PostgreSQL that all tests of a worker share: that of `TEST_PG_URL`, else the one at the usual port, else
 * one that it starts.
 *
 * @throws {ServiceMissing} if no server answers and none can be started.
 */
export const postgres = shared(postgresEngine);

/** Returns the MariaDB that all tests of a worker share, as {@link postgres} does; the variable is `TEST_MYSQL_URL`. */
export const mariadb = shared(mariadbEngine);

/** Returns the Redis that all tests of a worker share, as {@link postgres} does; the variable is `TEST_REDIS_URL`. */
export const redis = shared(redisEngine);

/**
 * Starts a PostgreSQL that the test may kill. Committed data survives {@link OwnServer.kill}.
 *
 * @throws {ServiceMissing} if the programs are not installed.
 */
export function startPostgres(options: StartOptions = {}): Promise<OwnServer<Fresh>> {
  return startOwn(postgresEngine, options);
}

/** Starts a MariaDB that the test may kill. Committed data survives {@link OwnServer.kill}. */
export function startMariadb(options: StartOptions = {}): Promise<OwnServer<Fresh>> {
  return startOwn(mariadbEngine, options);
}

/** Starts a Redis that the test may kill. Its data survives {@link OwnServer.kill} only with `persistent`. */
export function startRedis(options: RedisOptions = {}): Promise<OwnServer<FreshPrefix>> {
  return startOwn(redisEngine, options);
}

/**
 * Tells whether {@link postgres}, {@link mariadb} or {@link redis} resolves. Starts the server if necessary. If that
 * fails, prints the reason.
 *
 * @throws {ServiceMissing} instead of `false` under `CI=true`, where nothing is skipped.
 */
export function available(kind: Kind): Promise<boolean> {
  return canFind({ postgres, mariadb, redis }[kind]);
}

/** Tells whether tests can start servers of this kind. If not, it does the same as {@link available}. */
export function startable(kind: Kind): Promise<boolean> {
  return canStart({ postgres: postgresEngine, mariadb: mariadbEngine, redis: redisEngine }[kind]);
}

import { canFind, canStart } from './available.ts';
import type { Fresh, Kind, OwnServer, RedisOptions, StartOptions } from './engine.ts';
import { mariadbEngine } from './mariadb.ts';
import { startOwn } from './own.ts';
import { postgresEngine } from './postgres.ts';
import { type FreshPrefix, redisEngine } from './redis.ts';
import { shared } from './shared.ts';

/*
 * Real servers for tests. Find out at the top of a file whether there is one: no time limit applies there, and finding out may
 * mean to start or to install it.
 *
 *   describe.skipIf(!(await available('postgres')))('…', () => { … await (await postgres()).fresh() … });
 *   describe.skipIf(!(await startable('redis')))('…', () => { … await startRedis() … });
 *
 * Starting takes a second or so on an idle machine: give the test or hook that does it a time limit of a minute.
 */
export type { Fresh, Kind, OwnServer, RedisOptions, Server, StartOptions } from './engine.ts';
export { ServiceMissing } from './missing.ts';
export type { FreshPrefix } from './redis.ts';

/**
 * The PostgreSQL that all tests of a worker share: that of `TEST_PG_URL`, else one at the usual port, else one of our own.
 *
 * @throws {ServiceMissing} when there is none and none can be started.
 */
export const postgres = shared(postgresEngine);

/** The MariaDB that all tests of a worker share; `TEST_MYSQL_URL`, and so on as for {@link postgres}. */
export const mariadb = shared(mariadbEngine);

/** The Redis that all tests of a worker share; `TEST_REDIS_URL`, and so on as for {@link postgres}. */
export const redis = shared(redisEngine);

/**
 * Starts a PostgreSQL that the test may kill. What was committed survives {@link OwnServer.kill}.
 *
 * @throws {ServiceMissing} when the programs are missing and cannot be installed.
 */
export function startPostgres(options: StartOptions = {}): Promise<OwnServer<Fresh>> {
  return startOwn(postgresEngine, options);
}

/** Starts a MariaDB that the test may kill. What was committed survives {@link OwnServer.kill}. */
export function startMariadb(options: StartOptions = {}): Promise<OwnServer<Fresh>> {
  return startOwn(mariadbEngine, options);
}

/** Starts a Redis that the test may kill. Its data survives {@link OwnServer.kill} only with `persistent`. */
export function startRedis(options: RedisOptions = {}): Promise<OwnServer<FreshPrefix>> {
  return startOwn(redisEngine, options);
}

/**
 * Whether {@link postgres}, {@link mariadb} or {@link redis} will resolve: brings the server up to find out. If not, says why.
 *
 * @throws {ServiceMissing} instead of `false` under `CI=true`, where nothing is skipped.
 */
export function available(kind: Kind): Promise<boolean> {
  return canFind({ postgres, mariadb, redis }[kind]);
}

/** Whether servers of this kind can be started by tests: installs the programs to find out. Otherwise as {@link available}. */
export function startable(kind: Kind): Promise<boolean> {
  return canStart({ postgres: postgresEngine, mariadb: mariadbEngine, redis: redisEngine }[kind]);
}

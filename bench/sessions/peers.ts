import type { AuthFunction } from './look.ts';

/** Another project's adapter on tables of its own. */
export interface Peer {
  readonly name: string;
  readonly adapter: object;
  close(): Promise<void>;
}

/**
 * Imports from a folder of `test/peers`; `null` if its packages are not installed. The benchmark uses only the
 * documented interface of these packages.
 */
async function fromPeer<Module>(peer: string, specifier: string): Promise<Module | null> {
  const { load } = await import(new URL(`../../test/peers/${peer}/load.mjs`, import.meta.url).href);
  return load(specifier).catch((error: Error) => {
    console.error(`without ${specifier}: ${error.message}`);
    return null;
  });
}

/** The `Auth` of Auth.js. */
export async function authjs(): Promise<AuthFunction | null> {
  return (await fromPeer<{ Auth: AuthFunction }>('authjs', '@auth/core'))?.Auth ?? null;
}

type Constructor<Made = object> = new (...parameters: unknown[]) => Made;

interface KyselyPackage {
  Kysely: Constructor<{ destroy(): Promise<void> }>;
  PostgresDialect: Constructor;
  SqliteDialect: Constructor;
}

/** `@auth/kysely-adapter` on a SQLite file, by `better-sqlite3`. */
export async function kyselyOnSqlite(path: string): Promise<Peer | null> {
  const driver = await fromPeer<{ default: Constructor }>('kysely', 'better-sqlite3');
  return driver && kyselyOn(({ SqliteDialect }) => new SqliteDialect({ database: new driver.default(path) }));
}

/** `@auth/kysely-adapter` on PostgreSQL. */
export async function kyselyOnPostgres(url: string): Promise<Peer | null> {
  const driver = await fromPeer<{ default: { Pool: Constructor } }>('kysely', 'pg');
  return driver && kyselyOn(({ PostgresDialect }) => new PostgresDialect({ pool: poolOf(driver, url) }));
}

async function kyselyOn(dialect: (kysely: KyselyPackage) => object): Promise<Peer | null> {
  const kysely = await fromPeer<KyselyPackage>('kysely', 'kysely');
  const peer = await fromPeer<{ KyselyAdapter(db: object): object }>('kysely', '@auth/kysely-adapter');
  if (!kysely || !peer) return null;
  const db = new kysely.Kysely({ dialect: dialect(kysely) });
  return { name: '@auth/kysely-adapter', adapter: peer.KyselyAdapter(db), close: () => db.destroy() };
}

/** `@auth/pg-adapter`. */
export async function pgOnPostgres(url: string): Promise<Peer | null> {
  const driver = await fromPeer<{ default: { Pool: Constructor } }>('pg', 'pg');
  const peer = await fromPeer<{ default(pool: object): object }>('pg', '@auth/pg-adapter');
  if (!driver || !peer) return null;
  const pool = poolOf(driver, url);
  return { name: '@auth/pg-adapter', adapter: peer.default(pool), close: () => pool.end() };
}

function poolOf(driver: { default: { Pool: Constructor } }, connectionString: string): { end(): Promise<void> } {
  return new driver.default.Pool({ connectionString }) as { end(): Promise<void> };
}

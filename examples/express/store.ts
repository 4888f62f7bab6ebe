import { join } from 'node:path';
import type { Adapter } from '@latchkey/express/adapters';
import { Problem } from '../shared/port.ts';

/** The store of users, accounts and database sessions. */
export interface Store {
  /** Its name in texts, such as `SQLite`. */
  readonly name: string;
  readonly adapter: Adapter & Required<Pick<Adapter, 'createUser' | 'getUserByEmail'>>;
  /**
   * The records of database sessions. Those of JWT sessions are in `adapter.sessionRecords`, which is enough for an
   * application with one kind of session.
   */
  readonly databaseRecords: NonNullable<Adapter['sessionRecords']>;
  /** Counts the database sessions of the user with this address; `null` if the store cannot count them. */
  countSessions(email: string): Promise<number | null>;
  close(): Promise<void>;
}

/** The tables of {@link Store.databaseRecords} in SQL databases. */
export const recordTables = { records: 'demo_sessionRecords', epochs: 'demo_sessionEpochs' };

/** The protocols of `DATABASE_URL`, each with the function that opens the store. A driver is loaded when it is used. */
const stores: Readonly<Record<string, () => Promise<(url: string) => Promise<Store>>>> = {
  'postgres:': async () => (await import('./stores/postgres.ts')).openPostgres,
  'postgresql:': async () => (await import('./stores/postgres.ts')).openPostgres,
  'mysql:': async () => (await import('./stores/mysql.ts')).openMysql,
  'mariadb:': async () => (await import('./stores/mysql.ts')).openMysql,
  'redis:': async () => (await import('./stores/redis.ts')).openRedis,
  'rediss:': async () => (await import('./stores/redis.ts')).openRedis,
};

/**
 * Opens the store that `DATABASE_URL` names; without it, a SQLite file in the folder.
 *
 * @throws {Problem} if the URL is not supported, or if no database answers.
 */
export async function openStore(url: string | undefined, folder: string): Promise<Store> {
  if (!url) return (await import('./stores/sqlite.ts')).openSqlite(join(folder, 'demo.sqlite'));
  const { protocol, host } = URL.parse(url) ?? {};
  const load = protocol === undefined || !Object.hasOwn(stores, protocol) ? undefined : stores[protocol];
  if (!load)
    throw new Problem(
      'DATABASE_URL must begin with postgres://, mysql:// or redis://, for example DATABASE_URL=postgres://postgres@127.0.0.1/test npm start; without it, the demo uses SQLite',
    );
  const open = await load();
  try {
    return await open(url);
  } catch (error) {
    // The message contains neither the whole URL nor the driver's text, because both may contain a password.
    const code = (error as { code?: unknown } | null)?.code;
    if (code === '3D000' || code === 'ER_BAD_DB_ERROR')
      throw new Problem(`The server of DATABASE_URL at ${host} has no such database: create it, or correct the URL`);
    throw new Problem(
      `The database of DATABASE_URL does not answer at ${host} (${typeof code === 'string' ? code : 'no connection'}): start it, or correct the URL`,
    );
  }
}

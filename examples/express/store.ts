import { join } from 'node:path';
import type { Adapter } from '@latchkey/express/adapters';
import { Problem } from '../shared/port.ts';

/** Where users, accounts and database sessions are. */
export interface Store {
  /** What it is, in words: `SQLite`. */
  readonly name: string;
  readonly adapter: Adapter & Required<Pick<Adapter, 'createUser' | 'getUserByEmail'>>;
  /** How many database sessions the user with that address has; `null` where the store cannot tell. */
  countSessions(email: string): Promise<number | null>;
  close(): Promise<void>;
}

/** What `DATABASE_URL` may begin with, and what opens it. Each brings its driver along only when it is used. */
const stores: Readonly<Record<string, () => Promise<(url: string) => Promise<Store>>>> = {
  'postgres:': async () => (await import('./stores/postgres.ts')).openPostgres,
  'postgresql:': async () => (await import('./stores/postgres.ts')).openPostgres,
  'mysql:': async () => (await import('./stores/mysql.ts')).openMysql,
  'mariadb:': async () => (await import('./stores/mysql.ts')).openMysql,
  'redis:': async () => (await import('./stores/redis.ts')).openRedis,
  'rediss:': async () => (await import('./stores/redis.ts')).openRedis,
};

/**
 * Opens the store that `DATABASE_URL` names, else a SQLite file in the folder.
 *
 * @throws {Problem} when the address is none, or nothing answers there.
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
    // Neither the address nor the driver's message whole: both may tell a password.
    const code = (error as { code?: unknown } | null)?.code;
    if (code === '3D000' || code === 'ER_BAD_DB_ERROR')
      throw new Problem(`The server of DATABASE_URL at ${host} has no such database: make it, or mend the address`);
    throw new Problem(
      `The database of DATABASE_URL does not answer at ${host} (${typeof code === 'string' ? code : 'no connection'}): start it, or mend the address`,
    );
  }
}

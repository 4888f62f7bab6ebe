import { SqlAdapter, SqlSessionRecords } from '@latchkey/adapter-sql';
import { Pool } from 'pg';
import { recordTables, type Store } from '../store.ts';

const SESSIONS =
  'SELECT count(*)::int AS n FROM auth_sessions JOIN auth_users ON auth_users.id = auth_sessions."user" WHERE email = $1';

/** Opens a PostgreSQL database. The adapter creates missing tables. */
export async function openPostgres(connectionString: string): Promise<Store> {
  const pool = new Pool({ connectionString, connectionTimeoutMillis: 5000, statement_timeout: 10_000 });
  await pool.query('SELECT 1');
  return {
    name: 'PostgreSQL',
    adapter: SqlAdapter(pool),
    databaseRecords: SqlSessionRecords(pool, { tables: recordTables }),
    countSessions: async (email) => (await pool.query<{ n: number }>(SESSIONS, [email])).rows[0]?.n ?? 0,
    close: () => pool.end(),
  };
}

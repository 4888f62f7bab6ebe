import { SqlAdapter, SqlSessionRecords } from '@latchkey/adapter-sql';
import { createPool, type RowDataPacket } from 'mysql2/promise';
import { recordTables, type Store } from '../store.ts';

const SESSIONS =
  'SELECT count(*) AS n FROM auth_sessions JOIN auth_users ON auth_users.id = auth_sessions.`user` WHERE email = ?';

/** Opens a MySQL or MariaDB database. The adapter creates missing tables. */
export async function openMysql(url: string): Promise<Store> {
  const pool = createPool({ uri: url.replace(/^mariadb:/, 'mysql:'), connectTimeout: 5000 });
  await pool.query('SELECT 1');
  return {
    name: 'MySQL or MariaDB',
    adapter: SqlAdapter(pool),
    databaseRecords: SqlSessionRecords(pool, { tables: recordTables }),
    countSessions: async (email) => Number((await pool.execute<RowDataPacket[]>(SESSIONS, [email]))[0][0]?.['n']),
    close: () => pool.end(),
  };
}

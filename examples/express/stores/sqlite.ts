import { DatabaseSync } from 'node:sqlite';
import { SqlAdapter, SqlSessionRecords } from '@latchkey/adapter-sql';
import { recordTables, type Store } from '../store.ts';

/** Opens a SQLite file, and creates it if it does not exist. */
export function openSqlite(file: string): Store {
  const database = new DatabaseSync(file);
  const sessions = () =>
    database.prepare('SELECT count(*) AS n FROM auth_sessions JOIN auth_users ON auth_users.id = user WHERE email = ?');
  return {
    name: 'SQLite',
    adapter: SqlAdapter(database),
    databaseRecords: SqlSessionRecords(database, { tables: recordTables }),
    countSessions: async (email) => Number(sessions().get(email)?.['n']),
    close: async () => database.close(),
  };
}

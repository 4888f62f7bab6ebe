import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SqlAdapter } from '@latchkey/adapter-sql';

/** What outlives a restart. */
export interface Store {
  adapter: SqlAdapter;
  database: DatabaseSync;
  /** Seals the sessions. That of `AUTH_SECRET`, else one that was made with the folder. */
  secret: string;
}

/** Opens, or makes, the folder with the users, accounts and database sessions. */
export function openStore(folder: string): Store {
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(join(folder, 'demo.sqlite'));
  return { adapter: SqlAdapter(database), database, secret: process.env['AUTH_SECRET'] || keptSecret(folder) };
}

/** How many rows with sessions the user with that address has. */
export function countSessions(database: DatabaseSync, email: string): number {
  const rows = database
    .prepare('SELECT auth_sessions.id FROM auth_sessions JOIN auth_users ON auth_users.id = user WHERE email = ?')
    .all(email);
  return rows.length;
}

function keptSecret(folder: string): string {
  const file = join(folder, 'secret');
  if (!existsSync(file)) writeFileSync(file, randomBytes(33).toString('base64'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

import { hash } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { postgres } from '../test/services/index.ts';
import { fillDatabase, tablesOfPeers } from './sessions/postgres.ts';
import { fillFile, TABLES_OF_PEERS } from './sessions/sqlite.ts';
import type { Database } from './tasks/session-database.ts';

/** Open databases with users and sessions. */
export interface Stores {
  readonly databases: readonly Database[];
  close(): Promise<void>;
}

/** Creates SQLite files of several sizes. */
export async function sqliteStores(sizes: readonly number[]): Promise<Stores> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'));
  const databases: Database[] = [];
  for (const people of sizes) {
    const at = join(folder, `${people}.db`);
    await fillFile(at, people);
    if (people === sizes[0]) addPeers(at);
    databases.push({ kind: 'sqlite', at, people, ...(people === sizes[0] && { hashedAt: copyWithHashes(at) }) });
  }
  return { databases, close: async () => rmSync(folder, { recursive: true, force: true }) };
}

/** Copies a file, with hashes in the place of the session tokens. Returns the path of the copy. */
function copyWithHashes(at: string): string {
  const copy = `${at}.hashed`;
  copyFileSync(at, copy);
  const db = new DatabaseSync(copy);
  db.function('hashed', (token) => `sha256:${hash('sha256', String(token), 'base64url')}`);
  db.exec('update "auth_sessions" set "sessionToken" = hashed("sessionToken")');
  db.exec('vacuum');
  db.close();
  return copy;
}

function addPeers(at: string): void {
  const db = new DatabaseSync(at);
  db.exec(TABLES_OF_PEERS);
  db.close();
}

/** Creates a database of the PostgreSQL server that the tests use. */
export async function postgresStores(people: number): Promise<Stores> {
  const { url, drop } = await (await postgres()).fresh();
  const pool = new pg.Pool({ connectionString: url });
  await fillDatabase(pool, people);
  await pool.query(tablesOfPeers);
  await pool.end();
  return { databases: [{ kind: 'postgres', at: url, people }], close: drop };
}

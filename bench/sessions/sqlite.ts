import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrate, SqlAdapter, schemaSql } from '@latchkey/adapter-sql';
import { kyselyOnSqlite, type Peer } from './peers.ts';
import { emailOf, expires, tokenOf, userIdOf } from './people.ts';
import { type HandRow, readByHand, type Store, selectByHand, tablesOf } from './store.ts';

/** Opens a new SQLite file, by `node:sqlite`. */
export async function openSqlite(people: number): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'));
  const path = join(folder, 'auth.db');
  await fillFile(path, people);
  const db = new DatabaseSync(path);
  const tuned = new DatabaseSync(path);
  tuned.exec(`pragma ${TUNING}`);
  const select = db.prepare(selectByHand('?'));
  const opened: Peer[] = [];
  return {
    adapter: SqlAdapter(db, { migrate: false }),
    tuned: { [TUNING]: SqlAdapter(tuned, { migrate: false }) },
    byHand: { getSessionAndUser: async (token) => readByHand(select.get(token) as HandRow | undefined) },
    async statementsOf(work) {
      const statements = { count: 0 };
      await work(SqlAdapter(counting(db, statements), { migrate: false }));
      return statements.count;
    },
    async peers() {
      db.exec(TABLES_OF_PEERS);
      const kysely = await kyselyOnSqlite(path);
      if (kysely) opened.push(kysely);
      return opened;
    },
    async close() {
      for (const peer of opened) await peer.close();
      db.close();
      tuned.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A setting of the connection with which SQLite reads pages without a system call for each. */
export const TUNING = 'mmap_size = 1000000000';

/** Creates a file with users and their sessions. */
export async function fillFile(path: string, people: number): Promise<void> {
  const db = new DatabaseSync(path);
  // The file is temporary, so it need not survive a crash.
  db.exec(
    'pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -500000; pragma temp_store = memory',
  );
  db.exec(tablesOf(schemaSql('sqlite')));
  fill(db, people);
  await migrate(db);
  db.exec('pragma journal_mode = wal');
  db.close();
}

function fill(db: DatabaseSync, people: number): void {
  const [user, session, link] = [
    'insert into "auth_users" ("id", "email", "emailVerified", "image", "name") values (?1, ?2, ?3, null, ?2)',
    'insert into "auth_sessions" ("id", "sessionToken", "user", "expires") values (?1, ?1, ?2, ?3)',
    'insert into "auth_users_sessions" ("id", "session", "user") values (?1, ?1, ?2)',
  ].map((sql) => db.prepare(sql));
  const ends = expires.toISOString();
  db.exec('begin');
  for (let person = 0; person < people; person++) {
    const [id, token] = [userIdOf(person), tokenOf(person)];
    user?.run(id, emailOf(person), ends);
    session?.run(token, id, ends);
    link?.run(token, id);
  }
  db.exec('commit');
}

/** Creates the tables of `@auth/kysely-adapter` with the same users. */
export const TABLES_OF_PEERS = `
create table "User" ("id" text primary key, "name" text, "email" text unique, "emailVerified" text, "image" text);
create table "Session" ("id" text primary key, "sessionToken" text unique, "userId" text, "expires" text);
insert into "User" select "id", "name", "email", "emailVerified", "image" from "auth_users";
insert into "Session" select "id", "sessionToken", "user", "expires" from "auth_sessions";`;

type Parameter = string | number | null;

function counting(db: DatabaseSync, statements: { count: number }) {
  return {
    prepare(sql: string) {
      const statement = db.prepare(sql);
      return {
        columns: () => statement.columns(),
        all: (...parameters: Parameter[]) => {
          statements.count++;
          return statement.all(...parameters);
        },
        run: (...parameters: Parameter[]) => {
          statements.count++;
          return statement.run(...parameters);
        },
      };
    },
  };
}

import { migrate, SqlAdapter, schemaSql } from '@latchkey/adapter-sql';
import pg from 'pg';
import { available, postgres } from '../../test/services/index.ts';
import { kyselyOnPostgres, type Peer, pgOnPostgres } from './peers.ts';
import { expires } from './people.ts';
import { type HandRow, readByHand, type Store, selectByHand, tablesOf } from './store.ts';

/** Whether a PostgreSQL server is available. */
export const hasPostgres: boolean = await available('postgres');

/** Opens a new database of a PostgreSQL server, by `pg`. */
export async function openPostgres(people: number): Promise<Store> {
  const { url, drop } = await (await postgres()).fresh();
  const pools: pg.Pool[] = [];
  const newPool = (): pg.Pool => {
    const pool = new pg.Pool({ connectionString: url });
    pools.push(pool);
    return pool;
  };
  const pool = newPool();
  await fillDatabase(pool, people);

  const hand = newPool();
  const statement = { name: 'session-by-hand', text: selectByHand('$1') };
  const opened: Peer[] = [];
  return {
    adapter: SqlAdapter(newPool(), { migrate: false }),
    tuned: {},
    byHand: {
      getSessionAndUser: async (token) => {
        const { rows } = await hand.query<HandRow>({ ...statement, values: [token] });
        return readByHand(rows[0]);
      },
    },
    async statementsOf(work) {
      const counted = newPool();
      const statements = { count: 0 };
      const query = counted.query.bind(counted) as (...parameters: unknown[]) => unknown;
      counted.query = ((...parameters: unknown[]) => {
        statements.count++;
        return query(...parameters);
      }) as typeof counted.query;
      await work(SqlAdapter(counted, { migrate: false }));
      return statements.count;
    },
    async peers() {
      await pool.query(tablesOfPeers);
      for (const open of [pgOnPostgres, kyselyOnPostgres]) {
        const peer = await open(url);
        if (peer) opened.push(peer);
      }
      return opened;
    },
    async close() {
      for (const peer of opened) await peer.close();
      for (const each of pools) await each.end();
      await drop();
    },
  };
}

/** Fills an empty database with people and their sessions. */
export async function fillDatabase(pool: pg.Pool, people: number): Promise<void> {
  await pool.query(tablesOf(schemaSql('postgres')));
  await pool.query(rowsOf(people));
  await migrate(pool);
  await pool.query('vacuum analyze');
}

function rowsOf(people: number): string {
  const everybody = `from generate_series(0, ${people - 1}) as person`;
  const ends = `timestamptz '${expires.toISOString()}'`;
  const [id, email, token] = [`'user-' || person`, `'person-' || person || '@example.com'`, 'md5(person::text)'];
  return `
    insert into "auth_users" ("id", "email", "emailVerified", "name") select ${id}, ${email}, ${ends}, ${email} ${everybody};
    insert into "auth_sessions" ("id", "sessionToken", "user", "expires") select ${token}, ${token}, ${id}, ${ends} ${everybody};
    insert into "auth_users_sessions" ("id", "session", "user") select ${token}, ${token}, ${id} ${everybody};`;
}

/** Creates the tables of `@auth/pg-adapter` and `@auth/kysely-adapter` with the same users. */
export const tablesOfPeers = `
create table users (id serial primary key, name text, email text unique, "emailVerified" timestamptz, image text);
create table sessions (
  id serial primary key, "userId" integer not null, expires timestamptz not null, "sessionToken" varchar(255) unique
);
insert into users (name, email, "emailVerified", image) select name, email, "emailVerified", image from "auth_users";
insert into sessions ("userId", expires, "sessionToken")
  select u.id, s.expires, s."sessionToken" from "auth_sessions" as s
  join "auth_users" as o on o.id = s."user" join users as u on u.email = o.email;
create table "User" (id text primary key, name text, email text unique, "emailVerified" timestamptz, image text);
create table "Session" (id text primary key, "sessionToken" text unique, "userId" text, expires timestamptz);
insert into "User" select id, name, email, "emailVerified", image from "auth_users";
insert into "Session" select id, "sessionToken", "user", expires from "auth_sessions";
analyze users, sessions, "User", "Session"`;

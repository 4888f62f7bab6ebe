import mysql from 'mysql2/promise';
import pg from 'pg';
import {
  available,
  mariadb,
  type OwnServer,
  postgres,
  type Server,
  startable,
  startMariadb,
  startPostgres,
} from '../../../../test/services/index.ts';
import type { KindName } from './pools.ts';

/** A connection of an administrator. Names are in double quotes. */
export interface Desk {
  rows(sql: string): Promise<Record<string, unknown>[]>;
  run(sql: string): Promise<void>;
  close(): Promise<void>;
}

/** A kind of server, and its commands. */
export interface Kind {
  readonly name: KindName;
  readonly isAvailable: boolean;
  readonly isStartable: boolean;
  /** Returns the server that all tests share. */
  shared(): Promise<Server>;
  start(): Promise<OwnServer>;
  desk(url: string): Promise<Desk>;
  /** Returns the other connections to the database. */
  others(desk: Desk): Promise<number[]>;
  /** Returns the other connections that wait for a lock. */
  waiting(desk: Desk): Promise<number[]>;
  /** Ends connections, and resolves when they are closed. */
  terminate(desk: Desk, connections: readonly number[]): Promise<void>;
  /** Returns the address for a user without special rights. */
  plainUser(desk: Desk, url: string): Promise<string>;
  /** Makes a server read-only, like a replica, or writable again. */
  setReadOnly(desk: Desk, on: boolean): Promise<void>;
}

const onPostgres: Kind = {
  name: 'PostgreSQL',
  isAvailable: await available('postgres'),
  isStartable: await startable('postgres'),
  shared: postgres,
  start: () => startPostgres(),
  async desk(connectionString) {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000 });
    client.on('error', ignore);
    await client.connect();
    return {
      rows: async (sql) => (await client.query<Record<string, unknown>>(sql)).rows,
      run: async (sql) => void (await client.query(sql)),
      close: () => client.end(),
    };
  },
  others: (desk) => numbers(desk, OTHERS_OF_POSTGRES),
  waiting: (desk) => numbers(desk, `${OTHERS_OF_POSTGRES} and wait_event_type = 'Lock'`),
  terminate: async ({ run }, connections) => {
    for (const id of connections) await run(`select pg_terminate_backend(${id}, 5000)`);
  },
  plainUser: async (_desk, url) => url,
  async setReadOnly({ run }, on) {
    await run(`alter system set default_transaction_read_only = ${on}`);
    await run('select pg_reload_conf()');
  },
};

const onMariadb: Kind = {
  name: 'MariaDB',
  isAvailable: await available('mariadb'),
  isStartable: await startable('mariadb'),
  shared: mariadb,
  start: () => startMariadb(),
  async desk(uri) {
    const connection = await mysql.createConnection({ uri, multipleStatements: true, connectTimeout: 5000 });
    connection.on('error', ignore);
    await connection.query(`set sql_mode = concat(@@sql_mode, ',ANSI_QUOTES')`);
    return {
      rows: async (sql) => (await connection.query(sql))[0] as Record<string, unknown>[],
      run: async (sql) => void (await connection.query(sql)),
      close: () => connection.end(),
    };
  },
  others: (desk) => numbers(desk, OTHERS_OF_MARIADB),
  waiting: (desk) =>
    numbers(
      desk,
      `${OTHERS_OF_MARIADB} and id in (
        select trx_mysql_thread_id from information_schema.innodb_trx where trx_state = 'LOCK WAIT')`,
    ),
  async terminate(desk, connections) {
    for (const id of connections) await desk.run(`kill hard ${id}`).catch(ignore);
    const left = async (): Promise<number[]> => (await this.others(desk)).filter((id) => connections.includes(id));
    while ((await left()).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  },
  // An administrator can write to a read-only server.
  async plainUser({ run }, url) {
    const address = new URL(url);
    const database = address.pathname.slice(1);
    await run(`create user plain@'%'; grant all on "${database}".* to plain@'%'`);
    address.username = 'plain';
    return address.href;
  },
  setReadOnly: ({ run }, on) => run(`set global read_only = ${on ? 1 : 0}`),
};

const OTHERS_OF_POSTGRES = `
select pid as id from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;

const OTHERS_OF_MARIADB = `
select id from information_schema.processlist where db = database() and id <> connection_id()`;

async function numbers({ rows }: Desk, sql: string): Promise<number[]> {
  return (await rows(sql)).map(({ id }) => Number(id));
}

function ignore(): void {}

/** All kinds of servers. */
export const kinds: readonly Kind[] = [onPostgres, onMariadb];

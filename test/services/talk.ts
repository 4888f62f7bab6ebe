import { createConnection, type RowDataPacket } from 'mysql2/promise';
import pg from 'pg';
import { createClient } from 'redis';
import type { Fresh, Kind } from './index.ts';

/** The requests that the tests of this folder send to a server. */
export interface Talk {
  /** Stores a value in a database or prefix of `fresh()`. */
  put(fresh: Fresh, value: string): Promise<void>;
  /** Returns the stored values. */
  get(fresh: Fresh): Promise<string[]>;
  /** Returns a setting of the running server. */
  setting(url: string, name: string): Promise<string>;
  /** Creates a database, or a key with a prefix, of this name. */
  make(url: string, name: string): Promise<void>;
  /** Returns the names of the databases, or the prefixes of the keys. */
  names(url: string): Promise<string[]>;
  /** Opens a connection with an unfinished transaction. `broken` resolves when the server ends the connection. */
  hold(fresh: Fresh): Promise<{ broken: Promise<unknown> }>;
}

export const talk: Record<Exclude<Kind, 'redis'>, Talk> & Record<'redis', Omit<Talk, 'hold'>> = {
  postgres: {
    put: ({ url }, value) =>
      asking(url, async (client) => {
        await client.query('create table if not exists kept (value text)');
        await client.query('insert into kept values ($1)', [value]);
      }),
    get: ({ url }) =>
      asking(url, async (client) => {
        const { rows } = await client.query("select to_regclass('kept') as kept");
        return rows[0].kept ? (await client.query('select value from kept')).rows.map(({ value }) => value) : [];
      }),
    setting: (url, name) =>
      asking(url, async (client) => (await client.query('select current_setting($1) as value', [name])).rows[0].value),
    make: (url, name) => asking(url, async (client) => void (await client.query(`create database ${name}`))),
    names: (url) =>
      asking(url, async (client) =>
        (await client.query('select datname from pg_database')).rows.map(({ datname }) => datname),
      ),
    hold: async ({ url }) => {
      const client = new pg.Client(url);
      await client.connect();
      const broken = new Promise((resolve) => client.on('error', resolve));
      await client.query('begin');
      await client.query('delete from kept');
      return { broken };
    },
  },
  mariadb: {
    put: async ({ url }, value) => {
      await query(url, 'create table if not exists kept (value varchar(99))');
      await query(url, 'insert into kept values (?)', value);
    },
    get: async ({ url }) => {
      const tables = await query(url, "show tables like 'kept'");
      return tables.length > 0 ? (await query(url, 'select value from kept')).map(({ value }) => value) : [];
    },
    setting: async (url, name) => (await query(url, 'show global variables like ?', name))[0]?.Value,
    make: async (url, name) => void (await query(url, `create database ${name}`)),
    names: async (url) => (await query(url, 'show databases')).map(({ Database }) => Database),
    hold: async ({ url }) => {
      const client = await createConnection(url);
      const broken = new Promise((resolve) => client.on('error', resolve));
      await client.query('begin');
      await client.query('delete from kept');
      return { broken };
    },
  },
  redis: {
    put: (fresh, value) => saying(fresh.url, async (client) => void (await client.rPush(keyIn(fresh), value))),
    get: (fresh) => saying(fresh.url, (client) => client.lRange(keyIn(fresh), 0, -1)),
    setting: (url, name) => saying(url, async (client) => (await client.configGet(name))[name] ?? ''),
    make: (url, name) => saying(url, async (client) => void (await client.set(`${name}:key`, 'value'))),
    names: (url) => saying(url, async (client) => (await client.keys('*')).map((key) => key.replace(/:.*/, ''))),
  },
};

function keyIn(fresh: Fresh): string {
  return `${(fresh as Fresh & { prefix: string }).prefix}kept`;
}

async function asking<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end();
  }
}

async function query(url: string, statement: string, ...values: string[]): Promise<RowDataPacket[]> {
  const client = await createConnection(url);
  try {
    const [rows] = await client.query<RowDataPacket[]>(statement, values);
    return rows;
  } finally {
    await client.end();
  }
}

type RedisClient = ReturnType<typeof redisClient>;

function redisClient(url: string) {
  return createClient({ url, socket: { reconnectStrategy: false } });
}

async function saying<T>(url: string, use: (client: RedisClient) => Promise<T>): Promise<T> {
  const client = redisClient(url);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    client.destroy();
  }
}

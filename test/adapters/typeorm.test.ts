import type { Adapter } from '@latchkey/core/adapters';
import { describe } from 'vitest';
import { loadPeer } from '../peers/load.ts';
import { loadAnew } from '../peers/typeorm/load.mjs';
import { available, type Fresh, mariadb, postgres } from '../services/index.ts';
import { adapterFlows } from './flows.ts';
import { knownHalfSurrogates, knownTokensTwice } from './known.ts';
import { countRows, type OpenStore } from './store.ts';
import { type Known, peerSuite } from './suite.ts';

interface DataSource {
  initialize(): Promise<unknown>;
  synchronize(): Promise<void>;
  query(sql: string): Promise<object[]>;
  destroy(): Promise<void>;
}

interface Peer {
  TypeORMAdapter(dataSource: object): Adapter & { __disconnect(): Promise<void> };
  readonly entities: Readonly<Record<string, object>>;
}

const { DataSource } = await loadPeer<{ DataSource: new (options: object) => DataSource }>('typeorm', 'typeorm');

interface Options {
  readonly type: 'postgres' | 'mariadb';
  /** Statements before and after the tables are made. */
  readonly before?: readonly string[];
  readonly after: readonly string[];
}

/** The adapter on an empty database, in the tables of its own entities. */
async function open(database: Fresh, { type, before = [], after }: Options): Promise<OpenStore> {
  const { TypeORMAdapter, entities }: Peer = await loadAnew('@auth/typeorm-adapter');
  const source = new DataSource({ type, url: database.url, entities: Object.values(entities) });
  await source.initialize();
  for (const sql of before) await source.query(sql);
  await source.synchronize();
  for (const sql of after) await source.query(sql);
  // Otherwise it would change tables at each call.
  const adapter = TypeORMAdapter({ type, url: database.url, synchronize: false });
  const tables = { users: 'users', accounts: 'accounts', sessions: 'sessions', tokens: 'verification_tokens' };
  return {
    adapter,
    counts: () => countRows((sql) => source.query(sql), tables),
    async close() {
      await adapter.__disconnect();
      await source.destroy();
      await database.drop();
    },
  };
}

async function onPostgres(...after: string[]): Promise<OpenStore> {
  return open(await (await postgres()).fresh(), { type: 'postgres', after });
}

/** The indexes that the entities lack. */
const unique = [
  'create unique index one_account on accounts (provider, "providerAccountId")',
  'create unique index one_token on verification_tokens (identifier, token)',
];

async function onMariadb(): Promise<OpenStore> {
  const long = ['access_token', 'refresh_token', 'id_token', 'scope'].map((column) => `modify ${column} text`);
  return open(await (await mariadb()).fresh(), {
    type: 'mariadb',
    // Other collations take keys that look alike for one.
    before: ['alter database character set utf8mb4 collate utf8mb4_nopad_bin'],
    after: [`alter table accounts ${long.join(', ')}`, ...unique.map((sql) => sql.replaceAll('"', '`'))],
  });
}

const known: Known[] = [
  knownHalfSurrogates('user', 'verification token', 'session token'),
  knownTokensTwice,
  {
    because: 'it answers with no more than it was given',
    cases: ['updates the members that are given and leaves the others'],
    error: /user: expected .*, got \{email: null/,
  },
  {
    because: 'it writes the id of the row into what it is given, and saves what has an id over the row of this id',
    cases: ['refuses to link an account twice', 'refuses a second session with the same token'],
    error: /the second \w+: expected a rejection, got \{/,
  },
];

describe.skipIf(!(await available('postgres')))('@auth/typeorm-adapter on PostgreSQL', () => {
  describe('with unique indexes', () => {
    adapterFlows(() => onPostgres(...unique), { tokensOnce: false });
    peerSuite(() => onPostgres(...unique), known);
  });

  describe('with the tables of its entities', () => {
    adapterFlows(onPostgres, { unique: false, tokensOnce: false, extent: 'sample' });
  });
});

describe.skipIf(!(await available('mariadb')))('@auth/typeorm-adapter on MariaDB', () => {
  adapterFlows(onMariadb, { tokensOnce: false, extent: 'sample' });
  peerSuite(() => onMariadb(), known, { extent: 'sample' });
});

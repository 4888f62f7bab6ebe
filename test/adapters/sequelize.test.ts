import type { Adapter } from '@latchkey/core/adapters';
import { describe } from 'vitest';
import { loadPeer } from '../peers/load.ts';
import { available, type Fresh, mariadb, postgres } from '../services/index.ts';
import { adapterFlows } from './flows.ts';
import { knownHalfSurrogates, knownTokensTwice } from './known.ts';
import { countRows, type OpenStore } from './store.ts';
import { type Known, peerSuite } from './suite.ts';

type Model = object;

interface Sequelize {
  define(name: string, columns: object, options: object): Model;
  sync(): Promise<unknown>;
  query(sql: string): Promise<[rows: object[], metadata: unknown]>;
  close(): Promise<void>;
}

interface Library {
  readonly Sequelize: new (url: string, options: object) => Sequelize;
  readonly DataTypes: { readonly TEXT: object; DATE(precision: number): object };
}

type ModelName = 'User' | 'Account' | 'Session' | 'VerificationToken';

interface Peer {
  default(client: Sequelize, options: { synchronize: boolean; models: Record<ModelName, Model> }): Adapter;
  readonly models: Readonly<Record<ModelName, object>>;
}

const { Sequelize, DataTypes } = await loadPeer<Library>('sequelize', 'sequelize');
const { default: SequelizeAdapter, models } = await loadPeer<Peer>('sequelize', '@auth/sequelize-adapter');

/** The adapter's models, with columns that are long enough and the index that they lack. */
function ownModels(client: Sequelize): Record<ModelName, Model> {
  const options = { underscored: true, timestamps: false };
  const long = { access_token: DataTypes.TEXT, refresh_token: DataTypes.TEXT, scope: DataTypes.TEXT };
  const oneAccount = { unique: true, fields: ['provider', 'provider_account_id'] };
  // Otherwise MySQL keeps whole seconds.
  const instant = DataTypes.DATE(3);
  const expires = { type: instant, allowNull: false };
  return {
    User: client.define('user', { ...models.User, emailVerified: instant }, options),
    Account: client.define('account', { ...models.Account, ...long }, { ...options, indexes: [oneAccount] }),
    Session: client.define('session', { ...models.Session, expires }, options),
    VerificationToken: client.define('verificationToken', { ...models.VerificationToken, expires }, options),
  };
}

async function open(database: Fresh, before: readonly string[] = []): Promise<OpenStore> {
  const client = new Sequelize(database.url, { logging: false });
  // It would make tables that depend on each other at once.
  const adapter = SequelizeAdapter(client, { synchronize: false, models: ownModels(client) });
  for (const sql of before) await client.query(sql);
  await client.sync();
  const tables = { users: 'users', accounts: 'accounts', sessions: 'sessions', tokens: 'verification_tokens' };
  return {
    adapter,
    counts: () => countRows(async (sql) => (await client.query(sql))[0], tables),
    async close() {
      await client.close();
      await database.drop();
    },
  };
}

async function onPostgres(): Promise<OpenStore> {
  return open(await (await postgres()).fresh());
}

async function onMariadb(): Promise<OpenStore> {
  // Other collations take keys that look alike for one.
  const exact = 'alter database character set utf8mb4 collate utf8mb4_nopad_bin';
  return open(await (await mariadb()).fresh(), [exact]);
}

const guards = { tokensOnce: false, tokensApart: false };

const known: Known[] = [
  knownHalfSurrogates('user', 'verification token', 'session token'),
  knownTokensTwice,
  {
    because: 'it answers with instances of its models, whose members are those of their class and cannot be spread',
    cases: ['updates the members that are given and leaves the others'],
    error: /user: expected \{email: null.*, got \{email: "ada/,
  },
  {
    because: 'using a token, even a wrong one, deletes all tokens of the address',
    cases: [
      'identifies a token by both parts of its key, and does not spend it for a wrong key',
      'distinguishes verification tokens byte by byte',
    ],
    error: /expected .*, got null/,
  },
];

const knownNul: Known = {
  because: 'its escaping for PostgreSQL makes a backslash and a nought of NUL',
  cases: ['user', 'verification token', 'session token'].map((row) => `keeps or refuses NUL in a ${row}`),
  error: /got .*before\\\\0after/,
};

describe.skipIf(!(await available('postgres')))('@auth/sequelize-adapter on PostgreSQL', () => {
  adapterFlows(onPostgres, guards);
  peerSuite(onPostgres, [...known, knownNul]);
});

describe.skipIf(!(await available('mariadb')))('@auth/sequelize-adapter on MariaDB', () => {
  adapterFlows(onMariadb, { ...guards, extent: 'sample' });
  peerSuite(onMariadb, known, { extent: 'sample' });
});

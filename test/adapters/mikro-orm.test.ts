import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Adapter } from '@latchkey/core/adapters';
import { describe } from 'vitest';
import { loadPeer } from '../peers/load.ts';
import { available, postgres } from '../services/index.ts';
import { adapterFlows } from './flows.ts';
import { knownHalfSurrogates, knownTokensTwice } from './known.ts';
import { countRows, type OpenStore } from './store.ts';
import { type Known, peerSuite } from './suite.ts';

interface Orm {
  getSchemaGenerator(): { createSchema(): Promise<void> };
  readonly em: { getConnection(): { execute(sql: string): Promise<object[]> } };
  close(): Promise<void>;
}

type Decorator = (options?: object) => (target: object, member?: string) => unknown;

interface Library extends Record<'Entity' | 'OneToMany' | 'PrimaryKey' | 'Property' | 'Unique', Decorator> {
  readonly MikroORM: { init(options: object): Promise<Orm> };
  readonly Collection: new (owner: object) => object;
}

type Entities = Readonly<Record<'User' | 'Account' | 'Session' | 'VerificationToken', object>>;

interface Peer {
  MikroOrmAdapter(orm: object, options: { entities: Entities }): Adapter & { __disconnect(): Promise<void> };
  readonly defaultEntities: Entities;
}

const { MikroORM, Collection, Entity, OneToMany, PrimaryKey, Property, Unique } = await loadPeer<Library>(
  'mikro-orm',
  '@mikro-orm/core',
);
const { MikroOrmAdapter, defaultEntities } = await loadPeer<Peer>('mikro-orm', '@auth/mikro-orm-adapter');
const { BetterSqliteDriver } = await loadPeer<{ BetterSqliteDriver: object }>('mikro-orm', '@mikro-orm/better-sqlite');
const { PostgreSqlDriver } = await loadPeer<{ PostgreSqlDriver: object }>('mikro-orm', '@mikro-orm/postgresql');

/** A user who may have no address: the adapter's own has an empty one then, which the next such user has too. */
class User {
  id: string = crypto.randomUUID();
  email: string | null = null;
  emailVerified: Date | null = null;
  sessions: object = new Collection(this);
  accounts: object = new Collection(this);
}
PrimaryKey({ type: 'string' })(User.prototype, 'id');
for (const member of ['name', 'email', 'image']) Property({ type: 'text', nullable: true })(User.prototype, member);
Property({ type: 'Date', length: 3, nullable: true })(User.prototype, 'emailVerified');
Unique()(User.prototype, 'email');
const own = { mappedBy: 'user', hidden: true, orphanRemoval: true };
OneToMany({ ...own, entity: 'Session' })(User.prototype, 'sessions');
OneToMany({ ...own, entity: 'Account' })(User.prototype, 'accounts');
Entity()(User);

const entities: Entities = { ...defaultEntities, User };

interface Options {
  readonly connection: object;
  readonly entities: Entities;
  /** Statements after the tables are made. */
  readonly after?: readonly string[];
  drop(): Promise<void>;
}

/** The adapter on an empty database, in the tables of the entities. */
async function open({ connection, entities, after = [], drop }: Options): Promise<OpenStore> {
  const orm = await MikroORM.init({ ...connection, entities: Object.values(entities) });
  await orm.getSchemaGenerator().createSchema();
  const query = (sql: string): Promise<object[]> => orm.em.getConnection().execute(sql);
  for (const sql of after) await query(sql);
  const adapter = MikroOrmAdapter({ ...connection }, { entities });
  // It connects at its first use, and again for each of those who come at once.
  await adapter.getUser?.('');
  const tables = { users: '"user"', accounts: 'account', sessions: 'session', tokens: 'verification_token' };
  return {
    adapter,
    counts: () => countRows(query, tables),
    async close() {
      await adapter.__disconnect();
      await orm.close();
      await drop();
    },
  };
}

async function onSqlite(entities: Entities): Promise<OpenStore> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-mikro-orm-'));
  const connection = { driver: BetterSqliteDriver, dbName: join(folder, 'test.db') };
  return open({ connection, entities, drop: () => rm(folder, { recursive: true }) });
}

async function onPostgres(entities: Entities): Promise<OpenStore> {
  const { url, drop } = await (await postgres()).fresh();
  const long = ['access_token', 'refresh_token', 'scope'].map((column) => `alter ${column} type text`);
  // The entities keep whole seconds.
  const exact = (table: string, column: string): string => `alter table ${table} alter ${column} type timestamptz(3)`;
  return open({
    connection: { driver: PostgreSqlDriver, clientUrl: url },
    entities,
    after: [
      `alter table account ${long.join(', ')}`,
      exact('"user"', 'email_verified'),
      exact('session', 'expires'),
      exact('verification_token', 'expires'),
    ],
    drop,
  });
}

const known: Known[] = [knownHalfSurrogates('user', 'verification token', 'session token'), knownTokensTwice];

const knownDefaults: Known = {
  because: 'its own entity gives a user without an address an empty one',
  cases: ['allows any number of users without an address'],
  error: /address: expected null, got ""/,
};

const knownNumbers: Known[] = [
  {
    because: 'its own entity reads emailVerified as a number from SQLite',
    cases: [
      'creates a user and finds them by id and by address',
      'keeps emailVerified to the millisecond, as a Date or null',
      'updates the members that are given and leaves the others',
      'creates a session and reads it with its user',
    ],
    error: /emailVerified: (expected Date\(\d+\), got )?\d{13}/,
  },
  {
    because: 'its own entity reads emailVerified as a number from SQLite',
    cases: ['does not share objects with its caller'],
    error: /getUTCMilliseconds is not a function/,
  },
];

describe('@auth/mikro-orm-adapter on SQLite', () => {
  describe('with an own user', () => {
    adapterFlows(() => onSqlite(entities), { tokensOnce: false, extent: 'sample' });
    peerSuite(() => onSqlite(entities), known, { extent: 'sample' });
  });

  describe('with its own entities', () => {
    peerSuite(() => onSqlite(defaultEntities), [...known, knownDefaults, ...knownNumbers], { extent: 'sample' });
  });
});

describe.skipIf(!(await available('postgres')))('@auth/mikro-orm-adapter on PostgreSQL', () => {
  describe('with an own user', () => {
    adapterFlows(() => onPostgres(entities), { tokensOnce: false });
    peerSuite(() => onPostgres(entities), known);
  });

  describe('with its own entities', () => {
    peerSuite(() => onPostgres(defaultEntities), [...known, knownDefaults], { extent: 'sample' });
  });
});

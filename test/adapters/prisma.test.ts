import type { Adapter } from '@latchkey/core/adapters';
import pg from 'pg';
import { describe } from 'vitest';
import { loadPeer } from '../peers/load.ts';
import { generateClient } from '../peers/prisma/generate.mjs';
import { available, postgres } from '../services/index.ts';
import { vaultIn } from './databases.ts';
import type { OpenStoreWithVault } from './flows/tokens.ts';
import { adapterFlows, adapterTokenFlows } from './flows.ts';
import { knownHalfSurrogates } from './known.ts';
import { countRows, type OpenStore } from './store.ts';
import { type Known, peerSuite } from './suite.ts';

interface Client {
  $executeRawUnsafe(sql: string): Promise<number>;
  $queryRawUnsafe(sql: string): Promise<object[]>;
  $disconnect(): Promise<void>;
}

type Driver<Name extends string> = Record<Name, new (options: object) => object>;

const { PrismaAdapter } = await loadPeer<{ PrismaAdapter: (client: Client) => Adapter }>(
  'prisma',
  '@auth/prisma-adapter',
);
const { PrismaBetterSqlite3 } = await loadPeer<Driver<'PrismaBetterSqlite3'>>(
  'prisma',
  '@prisma/adapter-better-sqlite3',
);
const { PrismaPg } = await loadPeer<Driver<'PrismaPg'>>('prisma', '@prisma/adapter-pg');

/** The tables of `test/peers/prisma/schema.prisma`. */
function tablesWith(instant: string): string[] {
  const owner = '"userId" text not null references "User" (id) on delete cascade';
  return [
    `create table "User" (id text primary key, name text, email text unique, "emailVerified" ${instant}, image text)`,
    `create table "Account" (
      ${owner}, type text not null, provider text not null, "providerAccountId" text not null, refresh_token text,
      access_token text, expires_at integer, token_type text, scope text, id_token text, session_state text,
      primary key (provider, "providerAccountId")
    )`,
    `create table "Session" ("sessionToken" text primary key, ${owner}, expires ${instant} not null)`,
    `create table "VerificationToken" (
      identifier text not null, token text not null, expires ${instant} not null, primary key (identifier, token)
    )`,
    `create table "Authenticator" (
      "credentialID" text not null unique, ${owner}, "providerAccountId" text not null,
      "credentialPublicKey" text not null, counter integer not null, "credentialDeviceType" text not null,
      "credentialBackedUp" boolean not null, transports text, primary key ("userId", "credentialID")
    )`,
  ];
}

/** The adapter on an empty database. */
async function open(client: Client, instant: string, drop?: () => Promise<void>): Promise<OpenStore> {
  for (const sql of tablesWith(instant)) await client.$executeRawUnsafe(sql);
  const tables = { users: '"User"', accounts: '"Account"', sessions: '"Session"', tokens: '"VerificationToken"' };
  return {
    adapter: PrismaAdapter(client),
    counts: () => countRows((sql) => client.$queryRawUnsafe(sql), tables),
    async close() {
      await client.$disconnect();
      await drop?.();
    },
  };
}

// Here, where no time limit applies.
const onSqlite = await generateClient<Client>('sqlite');
const onPostgres = await generateClient<Client>('postgresql');

async function openSqlite(): Promise<OpenStore> {
  return open(new onSqlite.PrismaClient({ adapter: new PrismaBetterSqlite3({ url: ':memory:' }) }), 'datetime');
}

async function openPostgres(): Promise<OpenStore> {
  const { url, drop } = await (await postgres()).fresh();
  const client = new onPostgres.PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });
  return open(client, 'timestamp(3)', drop);
}

/** The vault has a pool of its own, because it cannot use a client of Prisma. */
async function openWithVault(): Promise<OpenStoreWithVault> {
  const { url, drop } = await (await postgres()).fresh();
  const client = new onPostgres.PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });
  const pool = new pg.Pool({ connectionString: url });
  const store = await open(client, 'timestamp(3)', async () => {
    await pool.end();
    await drop();
  });
  return { ...store, vault: () => vaultIn(pool) };
}

const guards = { deletesMissing: false };
const halfSurrogates = knownHalfSurrogates('user', 'verification token', 'session token');
const known: Known[] = [halfSurrogates];

describe('@auth/prisma-adapter on SQLite', () => {
  adapterFlows(openSqlite, { ...guards, extent: 'sample' });
  peerSuite(() => openSqlite(), known, { authenticators: true, extent: 'sample' });
});

describe.skipIf(!(await available('postgres')))('@auth/prisma-adapter on PostgreSQL', () => {
  adapterFlows(openPostgres, guards);
  adapterTokenFlows(openWithVault);
  peerSuite(() => openPostgres(), known, { authenticators: true });
});

import type { Adapter } from '@latchkey/core/adapters';
import { describe } from 'vitest';
import { loadPeer } from '../peers/load.ts';
import { available } from '../services/index.ts';
import { openPostgres, type PgPool } from './databases.ts';
import { adapterFlows } from './flows.ts';
import { knownHalfSurrogates } from './known.ts';
import { countRows, type OpenStore } from './store.ts';
import { peerSuite } from './suite.ts';

const { default: PostgresAdapter } = await loadPeer<{ default: (pool: PgPool) => Adapter }>('pg', '@auth/pg-adapter');

/** The tables that the adapter's own documentation asks for: integer ids, and no row is unique. */
const asDocumented = `
  create table verification_token (
    identifier text not null, expires timestamptz not null, token text not null, primary key (identifier, token)
  );
  create table users (
    id serial primary key, name varchar(255), email varchar(255), "emailVerified" timestamptz, image text
  );
  create table accounts (
    id serial primary key, "userId" integer not null, type varchar(255) not null, provider varchar(255) not null,
    "providerAccountId" varchar(255) not null, refresh_token text, access_token text, expires_at bigint,
    id_token text, scope text, session_state text, token_type text
  );
  create table sessions (
    id serial primary key, "userId" integer not null, expires timestamptz not null, "sessionToken" varchar(255) not null
  );
`;

/** The indexes that an application has to add, so that a user, an account and a session exist once. */
const unique = `
  create unique index on users (email);
  create unique index on accounts (provider, "providerAccountId");
  create unique index on sessions ("sessionToken");
`;

async function open(schema: string): Promise<OpenStore> {
  const { pool, close } = await openPostgres('pg');
  await pool.query(schema);
  const tables = { users: 'users', accounts: 'accounts', sessions: 'sessions', tokens: 'verification_token' };
  return {
    adapter: PostgresAdapter(pool),
    counts: () => countRows(async (sql) => (await pool.query(sql)).rows, tables),
    close,
  };
}

const known = [knownHalfSurrogates('user', 'verification token', 'session token')];

describe.skipIf(!(await available('postgres')))('@auth/pg-adapter on PostgreSQL', () => {
  describe('with unique indexes', () => {
    adapterFlows(() => open(asDocumented + unique));
    peerSuite(() => open(asDocumented + unique), known);
  });

  describe('with the tables as documented', () => {
    adapterFlows(() => open(asDocumented), { unique: false, extent: 'sample' });
  });
});

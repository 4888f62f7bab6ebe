import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Engine } from '../src/dialect.ts';
import { type Database, SqlAdapter, type SqlAdapterOptions } from '../src/index.ts';
import { type EngineKind, engines, type Opened } from './engines/engines.ts';
import { rowsOf, run } from './engines/things.ts';

/** All engines whose database is available. */
export const places: readonly EngineKind[] = engines.filter(({ isAvailable }) => isAvailable);

/** One engine for each dialect. */
export const dialectPlaces: readonly EngineKind[] = places.filter(({ name }) =>
  ['node:sqlite', 'pg', 'mysql2'].includes(name),
);

/** The tables of the reference schema. */
export const tables = [
  'auth_users',
  'auth_accounts',
  'auth_sessions',
  'auth_verificationTokens',
  'auth_authenticators',
  'auth_users_accounts',
  'auth_users_sessions',
] as const;

/** A database, an adapter, and direct access to the rows. */
export interface Place {
  readonly db: Database;
  readonly engine: Engine;
  readonly adapter: SqlAdapter;
  /** Returns the rows of a statement as plain objects. */
  rows(statement: RawBuilder<unknown>): Promise<Record<string, unknown>[]>;
  run(statement: RawBuilder<unknown>): Promise<unknown>;
  /** Returns the number of rows of each table that has rows. */
  counts(): Promise<Record<string, number>>;
}

/** Opens a database for all tests of a `describe`. It is empty at the start of each test. */
export function placeOf(kind: EngineKind, options: SqlAdapterOptions = {}, open = kind.open): Place {
  const held: { opened?: Opened; adapter?: SqlAdapter } = {};
  const opened = (): Opened => {
    if (!held.opened) throw new Error('the place is not open yet');
    return held.opened;
  };
  beforeAll(async () => {
    held.opened = await open();
    held.adapter = SqlAdapter(held.opened.db, options);
    // The first use migrates before the first test.
    await held.adapter.getUser('unknown');
  });
  beforeEach(() => empty(opened().engine));
  afterAll(() => held.opened?.close());
  return {
    get db() {
      return opened().db;
    },
    get engine() {
      return opened().engine;
    },
    get adapter() {
      return held.adapter as SqlAdapter;
    },
    rows: (statement) => rowsOf(opened().engine, statement),
    run: (statement) => run(opened().engine, statement),
    counts: () => countsOf(opened().engine),
  };
}

/** Returns the number of rows of each table of the reference schema that has rows. */
export async function countsOf(engine: Engine): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const table of tables) {
    const [row] = await rowsOf(engine, sql`select count(*) as n from ${sql.table(table)}`);
    if (Number(row?.['n']) > 0) counted[table] = Number(row?.['n']);
  }
  return counted;
}

async function empty(engine: Engine): Promise<void> {
  for (const table of tables) await run(engine, sql`delete from ${sql.table(table)}`);
}

import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Engine } from '../src/dialect.ts';
import { type Database, SqlAdapter, type SqlAdapterOptions } from '../src/index.ts';
import { type EngineKind, engines, type Opened } from './engines/engines.ts';
import { rowsOf, run } from './engines/things.ts';

/** Every engine whose database can be had. */
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

/** A database with the adapter on it, and what a test sees of it behind the adapter's back. */
export interface Place {
  readonly db: Database;
  readonly engine: Engine;
  readonly adapter: SqlAdapter;
  /** Rows of a statement, as plain objects. */
  rows(statement: RawBuilder<unknown>): Promise<Record<string, unknown>[]>;
  run(statement: RawBuilder<unknown>): Promise<unknown>;
  /** Number of rows in each table that has any. */
  counts(): Promise<Record<string, number>>;
}

/** A place for all tests of a `describe`, empty at the start of each. */
export function placeOf(kind: EngineKind, options: SqlAdapterOptions = {}, open = kind.open): Place {
  const held: { opened?: Opened; adapter?: SqlAdapter } = {};
  const opened = (): Opened => {
    if (!held.opened) throw new Error('the place is not open yet');
    return held.opened;
  };
  beforeAll(async () => {
    held.opened = await open();
    held.adapter = SqlAdapter(held.opened.db, options);
    // The migration of the first use is done before the first test.
    await held.adapter.getUser('nobody');
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

/** Number of rows in each table of the reference schema that has any. */
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

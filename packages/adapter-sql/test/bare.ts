import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Engine } from '../src/dialect.ts';
import { type Database, SqlAdapter, type SqlAdapterOptions } from '../src/index.ts';
import { dropAll } from './catalog.ts';
import type { EngineKind, Opened } from './engines/engines.ts';

/** A database that has no tables at the start of each test. */
export interface Bare {
  readonly db: Database;
  readonly engine: Engine;
  /** Returns an adapter for the database. */
  with(options: SqlAdapterOptions): { adapter: SqlAdapter; engine: Engine };
}

/** Opens a database for all tests of a `describe`. */
export function bareOf({ open }: EngineKind): Bare {
  const held: { opened?: Opened } = {};
  const opened = (): Opened => {
    if (!held.opened) throw new Error('the database is not open yet');
    return held.opened;
  };
  beforeAll(async () => {
    held.opened = await open();
  });
  afterEach(() => dropAll(opened().engine));
  afterAll(() => held.opened?.close());
  return {
    get db() {
      return opened().db;
    },
    get engine() {
      return opened().engine;
    },
    with: (options) => ({ adapter: SqlAdapter(opened().db, options), engine: opened().engine }),
  };
}

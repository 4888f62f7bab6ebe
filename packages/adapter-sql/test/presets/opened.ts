import { sql } from 'kysely';
import { SqlAdapter, type SqlAdapterOptions } from '../../src/index.ts';
import { type EngineKind, engines, type Opened } from '../engines/engines.ts';
import { rowsOf, run } from '../engines/things.ts';
import { type Documented, inDialect } from './documented.ts';

/** A documented database that is open and empty. */
export interface OpenedDatabase extends Opened {
  readonly documented: Documented;
  adapter(options?: SqlAdapterOptions): SqlAdapter;
  /** Runs a statement in double quotes. */
  run(statement: string): Promise<unknown>;
  rows(statement: string): Promise<Record<string, unknown>[]>;
}

const NAMES = { sqlite: 'node:sqlite', postgres: 'pg', mysql: 'mysql2' } as const;

/** Returns the engine for a documented database. */
export function engineFor({ dialect }: Pick<Documented, 'dialect'>): EngineKind {
  return engines.find(({ name }) => name === NAMES[dialect]) as EngineKind;
}

/** Creates the database. */
export async function openDocumented(documented: Documented): Promise<OpenedDatabase> {
  const opened = await engineFor(documented).open();
  const { dialect, preset, statements } = documented;
  for (const statement of statements) await run(opened.engine, sql.raw(statement));
  return {
    ...opened,
    documented,
    adapter: (options = {}) => SqlAdapter(opened.db, { schema: preset, ...options }),
    run: (statement) => run(opened.engine, sql.raw(inDialect(dialect, statement))),
    rows: (statement) => rowsOf(opened.engine, sql.raw(inDialect(dialect, statement))),
  };
}

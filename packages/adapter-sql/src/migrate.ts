import type { Compilable, Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Dialect, DialectName, Engine, Query, Row } from './dialect.ts';
import { type Database, dialects, engineOf } from './engine-of.ts';
import { type ColumnKind, type Index, indexes, type TableName, type Tables, tables } from './schema.ts';
import { writerOf } from './statement.ts';

/**
 * Brings the database to the schema: creates what is missing of tables, columns and indexes, and touches nothing else. May
 * run again at any time, also in several processes at once. A database that lacks nothing is only read.
 */
export async function migrate(db: Database): Promise<void> {
  await migrateEngine(engineOf(db));
}

/** {@link migrate}, once the engine is known. */
export async function migrateEngine(engine: Engine): Promise<void> {
  const missing = await missingFrom(engine);
  if (missing.length === 0) return;
  try {
    await engine.batch(missing);
  } catch (error) {
    // Another process may have been faster. A column cannot be added `if not exists`.
    if ((await missingFrom(engine)).length > 0) throw error;
  }
}

/** The statements that create the whole schema, for those who run their own migrations. */
export function schemaSql(dialect: DialectName): string {
  const chosen = dialects[dialect];
  if (!chosen) throw new TypeError(`no dialect \`${dialect}\`. There are: ${Object.keys(dialects).join(', ')}`);
  const db = writerOf(chosen);
  const statements = [
    ...tableNames().map((table) => createTable(db, chosen, table)),
    ...indexes.map((index) => createIndex(db, index)),
  ];
  return statements.map((statement) => `${statement.compile().sql};\n`).join('');
}

async function missingFrom(engine: Engine): Promise<Query[]> {
  const { dialect } = engine;
  const db = writerOf(dialect);
  const missing: Compilable[] = [];
  for (const table of tableNames()) {
    const columns = namesIn(await engine.run(dialect.columnsOf(table)));
    if (columns.size === 0) missing.push(createTable(db, dialect, table));
    else missing.push(...absentColumns(db, dialect, table, columns));
    const known = namesIn(await engine.run(dialect.indexesOf(table)));
    const absent = indexes.filter((index) => index.table === table && !known.has(index.name));
    missing.push(...absent.map((index) => createIndex(db, index)));
  }
  return missing.map((statement) => ({ sql: statement.compile().sql, parameters: [] }));
}

function absentColumns(
  db: Kysely<Tables>,
  dialect: Dialect,
  table: TableName,
  known: ReadonlySet<string>,
): Compilable[] {
  return columnsOf(table)
    .filter(([column]) => !known.has(column))
    .map(([column, kind]) => db.schema.alterTable(table).addColumn(column, sql.raw(dialect.types[kind])));
}

function createTable(db: Kysely<Tables>, dialect: Dialect, table: TableName): Compilable {
  return columnsOf(table).reduce(
    (built, [column, kind]) => built.addColumn(column, sql.raw(dialect.types[kind])),
    db.schema
      .createTable(table)
      .ifNotExists()
      .addColumn('id', sql.raw(dialect.types.id), (id) => id.notNull().primaryKey()),
  );
}

function createIndex(db: Kysely<Tables>, { name, table, columns, unique }: Index): Compilable {
  const index = db.schema
    .createIndex(name)
    .ifNotExists()
    .on(table)
    .columns([...columns]);
  return unique ? index.unique() : index;
}

function tableNames(): TableName[] {
  return Object.keys(tables) as TableName[];
}

function columnsOf(table: TableName): [column: string, kind: ColumnKind][] {
  return Object.entries<ColumnKind>(tables[table]);
}

function namesIn(rows: readonly Row[]): ReadonlySet<string> {
  return new Set(rows.map((row) => String(row['name'])));
}

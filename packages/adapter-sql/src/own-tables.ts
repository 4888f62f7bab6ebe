import { type CreateTableBuilder, sql } from 'kysely';
import type { Dialect, Engine, Query, Step } from './dialect.ts';
import { locked } from './migrate/migrate.ts';
import { indexPlace } from './migrate/plan.ts';
import type { ColumnKind } from './schema/fields.ts';
import { indexName, isTableName } from './schema/names.ts';
import { writerOf } from './statement.ts';

/** A table that a store keeps beside the tables of the adapter. */
export interface OwnTable {
  readonly name: string;
  readonly columns: readonly OwnColumn[];
  /** Columns of the primary key. Default: the first column. */
  readonly primaryKey?: readonly string[] | undefined;
  /** The columns of each index, besides the primary key. */
  readonly indexes: readonly (readonly string[])[];
}

/** A column of an {@link OwnTable}. */
export interface OwnColumn {
  readonly name: string;
  readonly kind: Exclude<ColumnKind, 'id' | 'link'>;
  /** The column may be null. Default: `false`. */
  readonly optional?: boolean | undefined;
}

/**
 * Returns the name of a table.
 *
 * @throws {TypeError} if it is not a table's name.
 */
export function checkTableName(option: string, name: string): string {
  if (!isTableName(name)) throw new TypeError(`\`${option}\` must be a table's name: ${JSON.stringify(name)}`);
  return name;
}

/** Returns the statements that create the tables, as one text. */
export function creationSql(dialect: Dialect, tables: readonly OwnTable[]): string {
  return tables
    .flatMap((table) => [tableQuery(dialect, table), ...indexQueries(dialect, table).map(({ query }) => query)])
    .map((query) => `${query.sql};\n`)
    .join('');
}

/**
 * Returns a function that creates those of the tables that do not exist, once. If this fails, its next call tries
 * again.
 *
 * @param migrate `false`: the application creates the tables.
 */
export function openerOf(engine: Engine, tables: readonly OwnTable[], migrate = true): () => Promise<void> {
  let opening: Promise<void> | undefined;
  return async () => {
    opening ??= migrate ? createTables(engine, tables).then(() => undefined) : Promise.resolve();
    try {
      await opening;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  };
}

/** A table or index that a database lacks. */
export interface OwnAddition {
  readonly kind: 'table' | 'index';
  /** The addition in words. */
  readonly adds: string;
  readonly query: Query;
}

/** Creates those of the tables, and of their indexes, that do not exist. Returns the additions in words. */
export async function createTables(engine: Engine, tables: readonly OwnTable[]): Promise<string[]> {
  const added: string[] = [];
  for (const table of tables) {
    const missing = await missingOf(engine, table);
    if (missing.length > 0) await locked(engine, creationSteps(engine.dialect, table));
    added.push(...missing.map(({ adds }) => adds));
  }
  return added;
}

/**
 * Returns what a database lacks of a table. A process may have been killed after it had created a table, and before its
 * indexes.
 */
export async function missingOf({ dialect, run }: Engine, table: OwnTable): Promise<OwnAddition[]> {
  const isThere = (await run(dialect.columnsOf(table.name))).rows.length > 0;
  const rows = isThere ? (await run(dialect.indexesOf(table.name))).rows : [];
  const present = new Set(rows.map((row) => row['index']));
  const creation: OwnAddition = { kind: 'table', adds: `table ${table.name}`, query: tableQuery(dialect, table) };
  const indexes = indexQueries(dialect, table)
    .filter(({ name }) => !present.has(name))
    .map(({ columns, query }): OwnAddition => {
      return { kind: 'index', adds: `index on ${table.name} (${columns.join(', ')})`, query };
    });
  return isThere ? indexes : [creation, ...indexes];
}

/** While this process waited for the lock, another one may have created the table. */
function creationSteps(dialect: Dialect, table: OwnTable): Step[] {
  const position = dialect.migrationLock.take.length + 1;
  const [columns, indexes] = [position, position + 1];
  return [
    dialect.columnsOf(table.name),
    dialect.indexesOf(table.name),
    (results) => (results[columns]?.rows.length ? null : tableQuery(dialect, table)),
    ...indexQueries(dialect, table).map(
      ({ name, query }): Step =>
        (results) =>
          results[indexes]?.rows.some((row) => row['index'] === name) ? null : query,
    ),
  ];
}

function tableQuery(dialect: Dialect, { name, columns, primaryKey }: OwnTable): Query {
  const { types, tableSuffix } = dialect;
  const key = primaryKey ? undefined : columns[0];
  const built = columns.reduce<CreateTableBuilder<string, string>>(
    (table, column) =>
      table.addColumn(column.name, sql.raw(types[column.kind]), (built) => {
        if (column === key) return built.notNull().primaryKey();
        return column.optional ? built : built.notNull();
      }),
    writerOf(dialect).schema.createTable(name),
  );
  const whole = primaryKey ? built.addPrimaryKeyConstraint(indexName(name, ['key']), [...primaryKey]) : built;
  const compiled = (tableSuffix === '' ? whole : whole.modifyEnd(sql.raw(tableSuffix))).compile();
  return { sql: compiled.sql, parameters: [] };
}

interface IndexQuery {
  readonly name: string;
  readonly columns: readonly string[];
  readonly query: Query;
}

function indexQueries(dialect: Dialect, { name: table, indexes }: OwnTable): IndexQuery[] {
  return indexes.map((columns) => {
    const index = indexName(table, columns);
    const { name, on } = indexPlace(dialect, table, index);
    const list = sql.join(columns.map((column) => sql.ref(column)));
    const compiled = sql`create index ${name} on ${on} (${list})`.compile(writerOf(dialect));
    return { name: index, columns, query: { sql: compiled.sql, parameters: [] } };
  });
}

import { sql } from 'kysely';
import type { Dialect, Engine, Query } from './dialect.ts';
import { type DialectName, dialects } from './dialects/index.ts';
import { locked } from './migrate/migrate.ts';
import { indexName, isTableName } from './schema/names.ts';
import { writerOf } from './statement.ts';

/** The table of counters, unless it is called otherwise. */
export const RATE_LIMITS = 'auth_rateLimits';

/**
 * The statements that create the table of counters, for those who run their own migrations.
 *
 * @param table Its name; may have a schema before it. Default: `auth_rateLimits`.
 * @throws {TypeError} when there is no such dialect, or it is no name for a table.
 */
export function rateLimitsSql(dialect: DialectName, table: string = RATE_LIMITS): string {
  const chosen = dialects[dialect];
  if (!chosen) throw new TypeError(`no dialect \`${dialect}\`. There are: ${Object.keys(dialects).join(', ')}`);
  return creation(chosen, checkedName(table))
    .map((query) => `${query.sql};\n`)
    .join('');
}

/** @throws {TypeError} when it is no name for a table. */
export function checkedName(table: string): string {
  if (!isTableName(table)) throw new TypeError(`\`table\`: ${JSON.stringify(table)} is no name for a table`);
  return table;
}

/** Creates the table where it is missing. Several processes may do this at once. */
export async function createRateLimits(engine: Engine, table: string): Promise<void> {
  const look = engine.dialect.columnsOf(table);
  if ((await engine.run(look)).rows.length > 0) return;
  const before = engine.dialect.migrationLock.take.length + 1;
  // Looked at once more: while we waited for the lock, another process may have created it.
  const unlessThere = creation(engine.dialect, table).map(
    (query) =>
      (results: readonly { readonly rows: readonly unknown[] }[]): Query | null =>
        results[before]?.rows.length ? null : query,
  );
  await locked(engine, [look, ...unlessThere]);
}

/** `counter` is an HMAC; `taken` the instants that count, in milliseconds, with blanks between them; `expires` when none does. */
function creation(dialect: Dialect, table: string): Query[] {
  const write = writerOf(dialect);
  const { types, tableSuffix } = dialect;
  const columns = write.schema
    .createTable(table)
    .addColumn('counter', sql.raw(types.key), (column) => column.notNull().primaryKey())
    .addColumn('taken', sql.raw(types.text), (column) => column.notNull())
    .addColumn('expires', sql.raw(types.number), (column) => column.notNull());
  const whole = tableSuffix === '' ? columns : columns.modifyEnd(sql.raw(tableSuffix));
  const [name = '', schema] = table.split('.').reverse();
  const index = indexName(table, ['expires']);
  // An index belongs to the schema of its table. SQLite wants that said at the index, others at the table.
  const elsewhere = dialect.name === 'sqlite' && schema !== undefined;
  const [indexRef, on] = elsewhere ? [sql.id(schema, index), sql.id(name)] : [sql.id(index), sql.table(table)];
  const indexed = sql`create index ${indexRef} on ${on} (${sql.ref('expires')})`;
  return [whole.compile(), indexed.compile(write)].map((compiled) => ({ sql: compiled.sql, parameters: [] }));
}

import type { OpenedDatabase } from './opened.ts';

/** Returns a sorted line for each column, index and constraint. */
export async function catalogOf(database: OpenedDatabase): Promise<string[]> {
  const lines = await LISTS[database.documented.dialect](database);
  return lines.sort();
}

const LISTS = { sqlite: ofSqlite, postgres: ofPostgres, mysql: ofMysql } as const;

async function ofSqlite({ rows }: OpenedDatabase): Promise<string[]> {
  const found = await rows('select type, name, tbl_name, sql from sqlite_schema');
  return found.map(({ type, name, tbl_name: table, sql }) => `${type} ${name} on ${table}: ${sql}`);
}

async function ofPostgres({ rows }: OpenedDatabase): Promise<string[]> {
  const found = await rows(`
    select 'column ' || table_schema || '.' || table_name || '.' || column_name || ': ' || data_type || ' '
      || coalesce(character_maximum_length::text, '') || is_nullable || coalesce(column_default, '') as line
    from information_schema.columns where table_schema not in ('pg_catalog', 'information_schema')
    union all
    select indexdef from pg_catalog.pg_indexes where schemaname not in ('pg_catalog', 'information_schema')
    union all
    select conname || ' on ' || conrelid::regclass || ': ' || pg_get_constraintdef(oid)
    from pg_catalog.pg_constraint where conrelid <> 0`);
  return found.map(({ line }) => String(line));
}

async function ofMysql({ rows }: OpenedDatabase): Promise<string[]> {
  const tables = await rows('select table_name as name from information_schema.tables where table_schema = database()');
  const lines: string[] = [];
  for (const { name } of tables) {
    const [row] = await rows(`show create table "${name}"`);
    // The counter of the ids is not part of the schema.
    const text = String(row?.['Create Table']).replace(/ AUTO_INCREMENT=\d+/, '');
    lines.push(...text.split('\n').map((line) => `${name}: ${line.trim().replace(/,$/, '')}`));
  }
  return lines;
}

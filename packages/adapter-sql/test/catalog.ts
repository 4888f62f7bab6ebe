import { type RawBuilder, sql } from 'kysely';
import type { DialectName, Engine } from '../src/dialect.ts';
import { rowsOf, run } from './engines/things.ts';

/** The schema of a database, read without the adapter's own statements. */
export interface Catalogue {
  /** Type, nullability, collation and default of each `table.column`. */
  readonly columns: Readonly<Record<string, string>>;
  /** `primary`, or `unique` or `plain` with the index's name, for each `table (columns)`. */
  readonly indexes: Readonly<Record<string, string>>;
}

/** Reads the catalog of the current schema without system tables. */
export async function catalogOf(engine: Engine): Promise<Catalogue> {
  const { columns, indexes } = queries[engine.dialect.name];
  const grouped: Record<string, { table: string; columns: string[]; kind: string }> = {};
  for (const { table, name, column, kind } of await texts(engine, indexes)) {
    const said = kind === 'primary' ? kind : `${kind} ${name}`;
    const index = grouped[`${table}.${name}`] ?? { table: `${table}`, columns: [], kind: said };
    grouped[`${table}.${name}`] = { ...index, columns: [...index.columns, `${column}`] };
  }
  return {
    columns: Object.fromEntries(
      (await texts(engine, columns)).map(({ table, column, type, nullable, collation, preset }) => [
        `${table}.${column}`,
        [type, nullable, collation && `collate ${collation}`, preset && `default ${preset}`].filter(Boolean).join(' '),
      ]),
    ),
    indexes: Object.fromEntries(
      Object.values(grouped)
        .map((index): [string, string] => [`${index.table} (${index.columns.join(', ')})`, index.kind])
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  };
}

/** Drops all tables. */
export async function dropAll(engine: Engine): Promise<void> {
  if (engine.dialect.name === 'postgres') {
    await run(engine, sql`drop schema public cascade`);
    await run(engine, sql`create schema public`);
    return;
  }
  const { columns } = await catalogOf(engine);
  for (const table of new Set(Object.keys(columns).map((name) => name.split('.')[0] ?? '')))
    await run(engine, sql`drop table ${sql.table(table)}`);
}

/** Returns rows whose values are text or null, independently of the driver. */
async function texts(engine: Engine, query: RawBuilder<unknown>): Promise<Record<string, string | null>[]> {
  const rows = await rowsOf(engine, query);
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)])),
  );
}

const queries: Readonly<Record<DialectName, { columns: RawBuilder<unknown>; indexes: RawBuilder<unknown> }>> = {
  sqlite: {
    columns: sql`
      select t.name as "table", c.name as "column", lower(c.type) as "type",
        case when c."notnull" then 'not null' end as "nullable", null as "collation", c.dflt_value as "preset"
      from sqlite_schema as t join pragma_table_info(t.name) as c
      where t.type = 'table' and t.name not like 'sqlite_%' order by t.name, c.name`,
    indexes: sql`
      select t.name as "table", i.name as "name", x.name as "column",
        case when i.origin = 'pk' then 'primary' when i."unique" then 'unique' else 'plain' end as "kind"
      from sqlite_schema as t join pragma_index_list(t.name) as i join pragma_index_info(i.name) as x
      where t.type = 'table' and t.name not like 'sqlite_%'
      union all
      select t.name, 'own number', c.name, 'primary' from sqlite_schema as t join pragma_table_info(t.name) as c
      where t.type = 'table' and c.pk = 1 and lower(c.type) = 'integer' and t.name not like 'sqlite_%'
      order by 1, 2`,
  },
  postgres: {
    columns: sql`
      select c.relname as "table", a.attname as "column", format_type(a.atttypid, a.atttypmod) as "type",
        case when a.attnotnull then 'not null' end as "nullable",
        case when l.collname <> 'default' then l.collname end as "collation",
        case when a.attidentity <> '' then 'identity' else pg_get_expr(d.adbin, d.adrelid) end as "preset"
      from pg_class as c join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_collation as l on l.oid = a.attcollation
      left join pg_attrdef as d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace order by 1, 2`,
    indexes: sql`
      select t.relname as "table", r.relname as "name", a.attname as "column",
        case when i.indisprimary then 'primary' when i.indisunique then 'unique' else 'plain' end as "kind"
      from pg_index as i join pg_class as t on t.oid = i.indrelid join pg_class as r on r.oid = i.indexrelid
      join pg_attribute as a on a.attrelid = r.oid
      where t.relnamespace = current_schema()::regnamespace order by 1, 2, a.attnum`,
  },
  mysql: {
    columns: sql`
      select table_name as ${sql.ref('table')}, column_name as ${sql.ref('column')}, 
        -- MariaDB tells how wide a client may show a number, MySQL does not.
        regexp_replace(column_type, '^((big)?int)[(][0-9]+[)]', '\\\\1') as ${sql.ref('type')},
        case when is_nullable = 'NO' then 'not null' end as ${sql.ref('nullable')},
        collation_name as ${sql.ref('collation')},
        case when extra <> '' then extra else nullif(column_default, 'NULL') end as ${sql.ref('preset')}
      from information_schema.columns where table_schema = database() order by 1, 2`,
    indexes: sql`
      select table_name as ${sql.ref('table')}, index_name as ${sql.ref('name')}, column_name as ${sql.ref('column')},
        case when index_name = 'PRIMARY' then 'primary' when non_unique = 0 then 'unique' else 'plain' end
          as ${sql.ref('kind')}
      from information_schema.statistics where table_schema = database() order by 1, 2, seq_in_index`,
  },
};

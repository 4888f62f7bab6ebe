import {
  DummyDriver,
  type Expression,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { ColumnKind } from '../schema/fields.ts';
import { fromMilliseconds, fromText, isWellFormed, toText } from './values.ts';

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** SQLite numbers the rows of a table by a primary key of exactly this type. */
const NUMBERED = { link: 'integer', given: 'integer', generated: 'integer' };
const NAMED = { link: 'text', given: 'text', generated: null };

/**
 * SQLite. Dates are text, `2026-03-01T12:00:00.000Z`: clients can show them, SQLite's date functions read them, and
 * they compare in the order of time.
 */
export const sqlite: Dialect = {
  name: 'sqlite',
  writer: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  returning: true,
  // Only one transaction can write at a time.
  rowLocks: false,
  ignoresCase: { tables: true, columns: true },
  types: {
    key: 'text',
    text: 'text',
    number: 'integer',
    float: 'numeric',
    digits: 'text',
    boolean: 'integer',
    date: 'text',
    json: 'text',
  },
  ids: { text: NAMED, uuid: NAMED, integer: NUMBERED, bigint: NUMBERED },
  tableSuffix: '',
  // Some clients, such as that of libSQL, read text up to the first NUL.
  storable: (text) => isWellFormed(text) && !text.includes('\0'),
  // Years outside 0–9999 have a sign, and would compare in the wrong order.
  dateIn: (date) => toText(date, 0),
  dateOf: (column) => column,
  dateOut: (value) => (typeof value === 'string' && INSTANT.test(value) ? fromText(value) : fromMilliseconds(value)),
  toMillisecond: (column) => sql`${column}`,
  milliseconds,
  // The first comparison uses the index. A column that is declared as `string` or `integer` stores `1e3` as 1000.
  sameBytes: (column, value) =>
    sql<boolean>`(${column} = ${value} and cast(${column} as text) = ${value} collate binary)`,
  booleanIn: (value) => (value ? 1 : 0),
  readFurther(column, kind) {
    if (kind === 'text' || kind === 'digits' || kind === 'json') return sql`cast(${column} as text)`;
    if (kind === 'date') return milliseconds(column);
    // `node:sqlite` throws for integers of more than 53 bits.
    return kind === 'float'
      ? sql`case typeof(${column}) when 'integer' then cast(${column} as text) else ${column} end`
      : column;
  },
  kindOf,
  // A generated column is hidden: 2 if it is virtual, 3 if it is stored.
  columnsOf: (table) => ({
    sql: 'select name, type, hidden > 1 as "generated", 1 as readable from pragma_table_xinfo(?, ?) where hidden <> 1',
    parameters: parts(table),
  }),
  indexesOf(table) {
    const [name, schema] = parts(table);
    return { sql: INDEXES, parameters: [name, schema, schema, name, schema, name, schema] };
  },
  repeatsIds(table) {
    const [name, schema] = parts(table);
    return {
      sql: `select sql not like '%autoincrement%' as "repeats" from "${schema}".sqlite_master where type = 'table' and name = ? collate nocase`,
      parameters: [name],
    };
  },
  clock: "cast(round((julianday('now') - 2440587.5) * 86400000) as integer)",
  title: 'SQLite',
  identity: {
    sql: "select file as name, null as host, null as time from pragma_database_list where name = 'main'",
    parameters: [],
  },
  // A migration begins with `begin immediate`, which is a lock.
  migrationLock: { take: [], release: [] },
};

/** Types as they were declared. SQLite itself accepts any value in any column. */
function kindOf(type: string): ColumnKind | null {
  if (/blob|binary|\[/i.test(type)) return null;
  if (/bool/i.test(type)) return 'boolean';
  if (/json/i.test(type)) return 'json';
  if (/datetime|timestamp/i.test(type)) return 'date';
  if (/bigint|int8|decimal|numeric/i.test(type)) return 'digits';
  return /int|real|floa|doub/i.test(type) ? 'float' : 'text';
}

/** A day has 86,400,000 milliseconds. 1970 began on Julian day 2,440,587.5. */
function milliseconds(date: Expression<unknown>): RawBuilder<unknown> {
  return sql`case typeof(${date}) when 'text' then cast(round((julianday(${date}) - 2440587.5) * 86400000) as integer) else ${date} end`;
}

/** The second part is for a primary key that SQLite numbers itself: it has no index, and needs none. */
const INDEXES = `
select list.name as "index", info.name as "column", info.seqno as "position",
  (list."unique" and not list.partial
    and min(info.cid) over (partition by list.name) > -2) as "unique"
from pragma_index_list(?, ?) as list
join pragma_index_xinfo(list.name, ?) as info
where info.key = 1
union all
select 'primary key', name, pk - 1, 1
from pragma_table_info(?, ?)
where pk > 0 and not exists (select 1 from pragma_index_list(?, ?) where origin = 'pk')`;

/** Returns the name of a table and of its schema, `main` by default. */
function parts(table: string): [table: string, schema: string] {
  const dot = table.indexOf('.');
  return dot < 0 ? [table, 'main'] : [table.slice(dot + 1), table.slice(0, dot)];
}

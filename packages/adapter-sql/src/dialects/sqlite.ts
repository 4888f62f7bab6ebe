import { DummyDriver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { fromMilliseconds, fromText, toText } from './instants.ts';
import { isWellFormed } from './text.ts';

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** A number that SQLite counts up is the row's own number, whose type must be spelt like this. */
const NUMBERED = { link: 'integer', ours: 'integer', theirs: 'integer' };
const NAMED = { link: 'text', ours: 'text', theirs: null };

/**
 * SQLite. Dates are text, `2026-03-01T12:00:00.000Z`: readable in any client, understood by SQLite's own date functions, and
 * in order of time when compared as text. Text compares byte by byte, as SQLite does unless told otherwise.
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
  // A transaction that writes has the database to itself.
  rowLocks: false,
  types: { key: 'text', text: 'text', number: 'integer', boolean: 'integer', date: 'text' },
  ids: { text: NAMED, uuid: NAMED, integer: NUMBERED, bigint: NUMBERED },
  tableSuffix: '',
  // Some clients, that of libSQL among them, read text up to the first NUL.
  storable: (text) => isWellFormed(text) && !text.includes('\0'),
  // Years outside 0–9999 are written with a sign and would be out of order.
  dateIn: (date) => toText(date, 0),
  dateOf: (column) => column,
  dateOut: (value) => (typeof value === 'string' && INSTANT.test(value) ? fromText(value) : fromMilliseconds(value)),
  toMillisecond: (column) => sql`${column}`,
  // A day has 86,400,000 milliseconds; 1970 began on day 2,440,587.5.
  milliseconds: (date) =>
    sql`case typeof(${date}) when 'text' then cast(round((julianday(${date}) - 2440587.5) * 86400000) as integer) else ${date} end`,
  booleanIn: (value) => (value ? 1 : 0),
  columnsOf: (table) => ({ sql: 'select name from pragma_table_info(?, ?)', parameters: parts(table) }),
  indexesOf(table) {
    const [name, schema] = parts(table);
    return { sql: INDEXES, parameters: [name, schema, schema, name, schema, name, schema] };
  },
  // A transaction that migrates begins as one that writes.
  migrationLock: { take: [], release: [] },
};

/** A column that SQLite numbers itself has no index, and needs none. */
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

/** The table's name and its schema's, `main` unless the name says another. */
function parts(table: string): [table: string, schema: string] {
  const dot = table.indexOf('.');
  return dot < 0 ? [table, 'main'] : [table.slice(dot + 1), table.slice(0, dot)];
}

import { DummyDriver, type Expression, MysqlAdapter, MysqlIntrospector, MysqlQueryCompiler, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { ColumnKind } from '../schema/fields.ts';
import { fitsBytes, fitsCharacters, fromMilliseconds, fromText, isWellFormed, toText } from './values.ts';

/** Characters of a key. An index stores up to four bytes for each. */
const LONGEST_KEY = 255;
/** Bytes of UTF-8. A statement has several texts and at most 16 MB by default. */
const LONGEST_TEXT = 1_000_000;

const BYTEWISE = 'character set utf8mb4 collate utf8mb4_bin';
const WALL_CLOCK = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d+$/;

/** The start of the statement. `unix_timestamp(now())` is wrong by an hour when summer time ends. */
const CLOCK = "(timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000)";

const key = `varchar(${LONGEST_KEY}) ${BYTEWISE}`;
const uuid = 'char(36) character set ascii collate ascii_bin';

/**
 * MySQL 8 and MariaDB. Dates are stored as the wall clock of UTC. A column of the type `timestamp` stores that wall
 * clock in the session's time zone, as other adapters do.
 *
 * The stores beside the adapter do not demand strict mode, so text that is too long is refused before the server cuts
 * it. Keys that end with a space are refused, because the collation ignores the space.
 */
export const mysql: Dialect = {
  name: 'mysql',
  writer: {
    createAdapter: () => new MysqlAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new MysqlIntrospector(db),
    createQueryCompiler: () => new MysqlQueryCompiler(),
  },
  returning: false,
  rowLocks: true,
  // The names of tables depend on the server's `lower_case_table_names`.
  ignoresCase: { tables: false, columns: true },
  types: {
    key,
    text: `mediumtext ${BYTEWISE}`,
    number: 'bigint',
    float: 'double',
    digits: 'decimal(65)',
    boolean: 'boolean',
    date: 'datetime(3)',
    json: 'json',
  },
  ids: {
    text: { link: key, given: key, generated: null },
    uuid: { link: uuid, given: uuid, generated: null },
    integer: { link: 'integer', given: 'integer', generated: 'integer auto_increment' },
    bigint: { link: 'bigint', given: 'bigint', generated: 'bigint auto_increment' },
  },
  // Only InnoDB has transactions.
  tableSuffix: `engine = InnoDB default ${BYTEWISE}`,
  storable: (text, kind) =>
    isWellFormed(text) &&
    (kind === 'key' ? fitsCharacters(text, LONGEST_KEY) && !text.endsWith(' ') : fitsBytes(text, LONGEST_TEXT)),
  dateIn: (date) => toText(date, 1000)?.slice(0, -1).replace('T', ' ') ?? null,
  dateOf: (column) => sql`date_format(${column}, '%Y-%m-%dT%H:%i:%s.%f')`,
  dateOut: (value) => (typeof value === 'string' && WALL_CLOCK.test(value) ? fromText(value) : fromMilliseconds(value)),
  // A cast to `datetime(3)` would round.
  toMillisecond: (column) => sql`(${column} - interval (microsecond(${column}) % 1000) microsecond)`,
  // The first comparison uses the index, the second compares bytes.
  sameBytes: (column, value) => sql<boolean>`(${column} = ${value} and ${bytes(column)} = ${bytes(value)})`,
  booleanIn: (value) => (value ? 1 : 0),
  // A column of the type JSON is a `longtext` in MariaDB.
  readFurther: (column, kind) =>
    kind === 'text' || kind === 'digits' || kind === 'json' ? sql`cast(${column} as char)` : column,
  kindOf,
  columnsOf: (table) => ({
    sql: `
select column_name as name, column_type as type,
  case when extra like '%VIRTUAL GENERATED%' or extra like '%STORED GENERATED%' then 1 else 0 end as \`generated\`,
  case when privileges like '%select%' then 1 else 0 end as readable
from information_schema.columns as present
where ${isOf(table)}
order by ordinal_position`,
    parameters: [],
  }),
  indexesOf: (table) => ({
    sql: `
select index_name as \`index\`, column_name as \`column\`, seq_in_index - 1 as \`position\`,
  min(case when non_unique = 0 and sub_part is null and column_name is not null then 1 else 0 end)
    over (partition by index_name) as \`unique\`
from information_schema.statistics as present
where ${isOf(table)}
order by 1, 3`,
    parameters: [],
  }),
  clock: CLOCK,
  title: 'MySQL',
  identity: {
    sql: `select database() as name, @@hostname as host, ${CLOCK} as time`,
    parameters: [],
  },
  // A statement that creates something commits the transaction, so this lock belongs to the connection. The lock is
  // shared by all databases of the server, so its name contains that of the database. A name has at most 64 characters.
  migrationLock: {
    take: [{ sql: `select get_lock(${lockName()}, 60) as locked`, parameters: [] }],
    release: [{ sql: `select release_lock(${lockName()}) as released`, parameters: [] }],
  },
};

function kindOf(type: string): ColumnKind | null {
  if (/blob|binary|^bit|geometry|point|polygon|linestring|^vector/.test(type)) return null;
  if (type === 'tinyint(1)') return 'boolean';
  if (/^(bigint|decimal|numeric)/.test(type)) return 'digits';
  if (/^(tinyint|smallint|mediumint|int|float|double|year)/.test(type)) return 'float';
  if (/^(datetime|timestamp)/.test(type)) return 'date';
  return type === 'json' ? 'json' : 'text';
}

/** Returns the bytes of a text in UTF-8, independently of its character set. */
function bytes(text: Expression<unknown>): Expression<unknown> {
  return sql`cast(convert(${text} using utf8mb4) as binary)`;
}

/**
 * Returns the condition for a table in the catalog. Its name may contain its schema. The names are part of the
 * statement, so the server prepares no statement that is used once.
 */
function isOf(table: string): string {
  const dot = table.indexOf('.');
  const schema = dot < 0 ? 'database()' : literal(table.slice(0, dot));
  return `present.table_schema = ${schema} and present.table_name = ${literal(table.slice(dot + 1))}`;
}

/** Returns a text in hexadecimal, because the meaning of a backslash depends on the server's SQL mode. */
function literal(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0'));
  return `_utf8mb4 x'${bytes.join('')}'`;
}

function lockName(): string {
  return `concat('latchkey_', left(sha2(database(), 256), 32))`;
}

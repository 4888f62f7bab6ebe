import { DummyDriver, type Expression, MysqlAdapter, MysqlIntrospector, MysqlQueryCompiler, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { fromMilliseconds, fromText, toText } from './instants.ts';
import { fitsBytes, fitsCharacters, isWellFormed } from './text.ts';

/** Characters of a key; what an index holds is four times as many bytes. */
const LONGEST_KEY = 255;
/** Bytes of UTF-8. A statement has at most 16 MB, and there are several texts in one. */
const LONGEST_TEXT = 1_000_000;

const BYTEWISE = 'character set utf8mb4 collate utf8mb4_bin';
const WALL_CLOCK = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d+$/;

const key = `varchar(${LONGEST_KEY}) ${BYTEWISE}`;
const uuid = 'char(36) character set ascii collate ascii_bin';

/**
 * MySQL 8 and MariaDB. Dates are the wall clock of UTC. A column of the type `timestamp` keeps that wall clock in the
 * session's time zone, as other adapters do.
 *
 * Text that is too long is refused here, because a server that is not in strict mode cuts it off. Keys do not end with a
 * space, because the collation takes them for the same without it.
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
  types: { key, text: `mediumtext ${BYTEWISE}`, number: 'bigint', boolean: 'boolean', date: 'datetime(3)' },
  ids: {
    text: { link: key, ours: key, theirs: null },
    uuid: { link: uuid, ours: uuid, theirs: null },
    integer: { link: 'integer', ours: 'integer', theirs: 'integer auto_increment' },
    bigint: { link: 'bigint', ours: 'bigint', theirs: 'bigint auto_increment' },
  },
  // Only InnoDB has transactions.
  tableSuffix: `engine = InnoDB default ${BYTEWISE}`,
  storable: (text, kind) =>
    isWellFormed(text) &&
    (kind === 'key' ? fitsCharacters(text, LONGEST_KEY) && !text.endsWith(' ') : fitsBytes(text, LONGEST_TEXT)),
  dateIn: (date) => toText(date, 1000)?.slice(0, -1).replace('T', ' ') ?? null,
  dateOf: (column) => sql`date_format(${column}, '%Y-%m-%dT%H:%i:%s.%f')`,
  dateOut: (value) => (typeof value === 'string' && WALL_CLOCK.test(value) ? fromText(value) : fromMilliseconds(value)),
  // A cast to three digits would round.
  toMillisecond: (column) => sql`(${column} - interval (microsecond(${column}) % 1000) microsecond)`,
  // By the column itself the server finds the row, by its bytes it is known.
  sameBytes: (column, value) => sql<boolean>`(${column} = ${value} and ${bytes(column)} = ${bytes(value)})`,
  booleanIn: (value) => (value ? 1 : 0),
  columnsOf: (table) => ({
    sql: `select column_name as name from information_schema.columns as present where ${isOf(table)}`,
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
  // Statements that create something end the transaction that they are in. The lock is the server's, so that its name needs
  // the database's; a name has at most 64 characters.
  migrationLock: {
    take: [{ sql: `select get_lock(${lockName()}, 60) as locked`, parameters: [] }],
    release: [{ sql: `select release_lock(${lockName()}) as released`, parameters: [] }],
  },
};

/** The bytes of UTF-8, whatever the character set. */
function bytes(text: Expression<unknown>): Expression<unknown> {
  return sql`cast(convert(${text} using utf8mb4) as binary)`;
}

/**
 * What the catalogue has of a table, whose name may have its schema's in front. The server compares names by their case, unless it was
 * told to pass over it. Names stand in the statement itself: MariaDB 10.11 has gone down when a prepared one over its catalogue was
 * executed again.
 */
function isOf(table: string): string {
  const dot = table.indexOf('.');
  const schema = dot < 0 ? 'database()' : literal(table.slice(0, dot));
  return `present.table_schema = ${schema} and present.table_name = ${literal(table.slice(dot + 1))}`;
}

/** A text as its bytes, whatever quotes and backslashes mean to the server. */
function literal(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0'));
  return `_utf8mb4 x'${bytes.join('')}'`;
}

function lockName(): string {
  return `concat('latchkey_', left(sha2(database(), 256), 32))`;
}

import { DummyDriver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { Dialect } from '../dialect.ts';

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
/** With the flag `u`, whole pairs do not match. */
const HALF_A_PAIR = /\p{Surrogate}/u;

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
  types: { id: 'text', key: 'text', text: 'text', number: 'integer', date: 'text', link: 'text' },
  // Half of a surrogate pair has no UTF-8: it would come back as U+FFFD, and two keys could become one.
  storable: (text) => !HALF_A_PAIR.test(text),
  dateIn(date) {
    const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
    // Years outside 0–9999 are written with a sign and would be out of order.
    return INSTANT.test(text) ? text : null;
  },
  dateOut(value) {
    if (typeof value !== 'string' || !INSTANT.test(value)) return null;
    const date = new Date(value);
    return Number.isNaN(date.getTime()) ? null : date;
  },
  columnsOf: (table) => ({ sql: 'select name from pragma_table_info(?)', parameters: [table] }),
  indexesOf: (table) => ({ sql: 'select name from pragma_index_list(?)', parameters: [table] }),
};

import type { DatabaseSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from '../src/index.ts';

/** `node:sqlite` with the manners of `better-sqlite3`: `all` only where there are rows, its names and its error codes. */
export function likeBetterSqlite3(db: DatabaseSync): SqliteDatabase {
  return {
    get inTransaction() {
      return db.isTransaction;
    },
    prepare(sql) {
      const statement = db.prepare(sql);
      const reader = statement.columns().length > 0;
      const work =
        (name: 'all' | 'run'): SqliteStatement['all'] =>
        (...parameters) => {
          if (name === 'all' && !reader) throw new TypeError('This statement does not return data. Use run() instead');
          if (name === 'run' && reader)
            throw new TypeError('This statement returns data. Use get(), all(), or iterate()');
          return translating(() => statement[name](...parameters) as unknown[]);
        };
      return { reader, all: work('all'), run: work('run') };
    },
  };
}

const CODES: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  1555: 'SQLITE_CONSTRAINT_PRIMARYKEY',
  2067: 'SQLITE_CONSTRAINT_UNIQUE',
};

function translating<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { message, errcode } = error as Error & { errcode: number };
    throw Object.assign(new Error(message), { code: CODES[errcode] ?? 'SQLITE_ERROR' });
  }
}

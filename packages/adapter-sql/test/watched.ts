import type { DatabaseSync } from 'node:sqlite';
import type { SqliteDatabase } from '../src/index.ts';

/** A database that writes down what is prepared, and what runs. */
export interface Watched {
  readonly db: SqliteDatabase;
  readonly prepared: string[];
  readonly run: string[];
  /** What ran since the last call, transaction control left out. */
  statements(): string[];
}

export function watched(db: DatabaseSync): Watched {
  const prepared: string[] = [];
  const run: string[] = [];
  return {
    prepared,
    run,
    statements: () => run.splice(0).filter((sql) => !/^(begin|commit|rollback)/.test(sql)),
    db: {
      get isTransaction() {
        return db.isTransaction;
      },
      prepare(sql) {
        prepared.push(sql);
        const statement = db.prepare(sql);
        return {
          all: (...parameters) => {
            run.push(sql);
            return statement.all(...parameters);
          },
          run: (...parameters) => statement.run(...parameters),
        };
      },
    },
  };
}

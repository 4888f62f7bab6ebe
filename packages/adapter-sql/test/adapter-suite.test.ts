import { DatabaseSync } from 'node:sqlite';
import { adapterSuite } from '@latchkey/testing/adapter-suite';
import { describe, it } from 'vitest';
import { SqlAdapter } from '../src/index.ts';
import { likeBetterSqlite3 } from './better-sqlite3.ts';

describe('SqlAdapter on node:sqlite', () => {
  adapterSuite(
    () => {
      const db = new DatabaseSync(':memory:');
      return { adapter: SqlAdapter(db), close: () => db.close() };
    },
    { describe, it },
    { optional: true },
  );
});

describe('SqlAdapter on a database of the shape of better-sqlite3', () => {
  adapterSuite(
    () => {
      const db = new DatabaseSync(':memory:');
      return { adapter: SqlAdapter(likeBetterSqlite3(db)), close: () => db.close() };
    },
    { describe, it },
    { optional: true },
  );
});

import { PGlite } from '@electric-sql/pglite';

/** Starting one takes seconds, so that those that a test has done with are used again. */
const idle: PGlite[] = [];

/** An empty PGlite in memory, nobody else's until it is closed. */
export async function openPglite(): Promise<{ db: PGlite; close(): Promise<void> }> {
  const db = idle.pop() ?? (await PGlite.create());
  return {
    db,
    async close() {
      // What a test left behind, its settings included, goes.
      await db.exec('rollback');
      await db.exec('discard all');
      await db.exec('drop schema public cascade; create schema public');
      idle.push(db);
    },
  };
}

import type { Adapter } from '@latchkey/core/adapters';
import { cleanupOf } from './cleanup.ts';
import type { Engine } from './dialect.ts';
import { type Database, engineOf } from './engine-of.ts';
import { migrateEngine } from './migrate.ts';
import { writerOf } from './statement.ts';
import type { Store } from './store.ts';
import { type AccountMethods, accountsOf } from './tables/accounts.ts';
import { type SessionMethods, sessionsOf } from './tables/sessions.ts';
import { type UserMethods, usersOf } from './tables/users.ts';
import { type VerificationTokenMethods, verificationTokensOf } from './tables/verification-tokens.ts';

/** Options of {@link SqlAdapter}. */
export interface SqlAdapterOptions {
  /** Bring the database to the schema before the first statement. Default: `true`. */
  migrate?: boolean | undefined;
  /** The instant at which `cleanup` and `spendOnce` judge what has expired. Default: the system's clock. */
  now?: (() => Date) | undefined;
}

/** The methods of {@link SqlAdapter}: all but the four about authenticators, which are still to come. */
export interface SqlAdapter
  extends UserMethods,
    AccountMethods,
    SessionMethods,
    VerificationTokenMethods,
    Required<Pick<Adapter, 'cleanup'>> {}

/**
 * Keeps users, accounts, sessions and one-time tokens in a SQL database.
 *
 * ```ts
 * import { DatabaseSync } from 'node:sqlite';
 * const adapter = SqlAdapter(new DatabaseSync('auth.db'));
 * ```
 *
 * Members of users and accounts that the schema has no column for are not kept; columns that the application has added are
 * left alone. Text that the engine cannot keep exactly is refused with a `TypeError`; looking for such text finds nothing.
 *
 * The connection may be the application's own. Work done while the application has a transaction open is part of it; the first
 * use, which migrates, should not be. Where several processes share a SQLite file, `pragma journal_mode = wal` lets them read
 * while one writes.
 *
 * @throws {TypeError} when `db` is no database that the adapter knows.
 */
export function SqlAdapter(db: Database, options: SqlAdapterOptions = {}): SqlAdapter {
  const engine = engineOf(db);
  const { run, batch } = options.migrate === false ? engine : migrated(engine);
  const store: Store = {
    dialect: engine.dialect,
    write: writerOf(engine.dialect),
    run,
    batch,
    now: options.now ?? (() => new Date()),
  };
  return {
    ...usersOf(store),
    ...accountsOf(store),
    ...sessionsOf(store),
    ...verificationTokensOf(store),
    cleanup: cleanupOf(store),
  };
}

/** An engine that migrates before its first statement; again before the next one when that failed. */
function migrated(engine: Engine): Engine {
  let ready = false;
  let migrating: Promise<void> | undefined;

  async function migrateOnce(): Promise<void> {
    migrating ??= migrateEngine(engine);
    try {
      await migrating;
      ready = true;
    } finally {
      migrating = undefined;
    }
  }

  return {
    dialect: engine.dialect,
    run: (query) => (ready ? engine.run(query) : migrateOnce().then(() => engine.run(query))),
    batch: (queries, check) =>
      ready ? engine.batch(queries, check) : migrateOnce().then(() => engine.batch(queries, check)),
  };
}

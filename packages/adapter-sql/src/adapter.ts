import { checkText } from './check-text.ts';
import { cleanupOf } from './cleanup.ts';
import { codecOf } from './codec.ts';
import type { Engine } from './dialect.ts';
import { type Database, type EngineOptions, engineOf } from './engine-of.ts';
import { schemaOf } from './migrate/index.ts';
import { type Duplicates, type Extent, type Migrated, migrateEngine } from './migrate/migrate.ts';
import type { TableId } from './schema/fields.ts';
import type { SqlSchema } from './schema/options.ts';
import type { PresetName } from './schema/presets.ts';
import { type Shape, shapeOf } from './schema/shape.ts';
import { writerOf } from './statement.ts';
import type { Store } from './store.ts';
import { type Table, tableOf } from './table.ts';
import { type AccountMethods, accountsOf } from './tables/accounts.ts';
import { type AuthenticatorMethods, authenticatorsOf } from './tables/authenticators.ts';
import { type SessionMethods, sessionsOf } from './tables/sessions.ts';
import { type UserMethods, usersOf } from './tables/users.ts';
import { type VerificationTokenMethods, verificationTokensOf } from './tables/verification-tokens.ts';

/** Options of {@link SqlAdapter}. */
export interface SqlAdapterOptions extends EngineOptions {
  /**
   * Bring the database to the schema before the first statement. Default: `true`, which with a preset adds only unique
   * indexes; call `migrate` for the rest.
   */
  migrate?: boolean | undefined;
  /** Where the tables are. Default: the reference schema. A preset's name is short for `{ preset }`. */
  schema?: PresetName | SqlSchema | undefined;
  /** Told when a unique index is missing because rows share what must be unique. Default: a warning on the console. */
  onDuplicates?: ((duplicates: readonly Duplicates[]) => void) | undefined;
  /** The instant at which `cleanup` and `spendOnce` judge what has expired. Default: the system's clock. */
  now?: (() => Date) | undefined;
}

/** The methods of {@link SqlAdapter}. */
export interface SqlAdapter
  extends UserMethods,
    AccountMethods,
    SessionMethods,
    VerificationTokenMethods,
    AuthenticatorMethods {
  /** Deletes what has expired, two hundred rows in a transaction; resolves to the number of rows deleted. */
  cleanup(): Promise<number>;
}

/**
 * Keeps users, accounts, sessions, passkeys and one-time tokens in a SQL database.
 *
 * ```ts
 * import { DatabaseSync } from 'node:sqlite';
 * const adapter = SqlAdapter(new DatabaseSync('auth.db'));
 * ```
 *
 * Members of users and accounts that the schema has no column for are not kept; columns that the application has added are
 * left alone. Text that the engine cannot keep exactly is refused with a `TypeError`; looking for such text finds nothing.
 *
 * A SQLite connection may be the application's own. Work done while the application has a transaction open is part of it; the
 * first use, which migrates, should not be. Where several processes share a SQLite file, `pragma journal_mode = wal` lets them
 * read while one writes.
 *
 * @throws {TypeError} when `db` is no database that the adapter knows, or the schema has problems: all of them at once.
 */
export function SqlAdapter(db: Database, options: SqlAdapterOptions = {}): SqlAdapter {
  const engine = engineOf(db, options);
  const shape = shapeOf(schemaOf(options.schema), engine.dialect);
  return openedAtFirstUse(async () => {
    await checkText(engine);
    const migrated = await migrateEngine(engine, shape, extentOf(options, shape));
    if (migrated.duplicates.length > 0) (options.onDuplicates ?? warn)(migrated.duplicates);
    return methodsOf(storeOf(engine, migrated, options.now));
  });
}

function extentOf(options: SqlAdapterOptions, shape: Shape): Extent {
  if (options.migrate === false) return 'nothing';
  return shape.foreign ? 'unique' : 'all';
}

function storeOf(engine: Engine, { shape, duplicates }: Migrated, now: (() => Date) | undefined): Store {
  const { dialect } = engine;
  const codec = codecOf(dialect, shape);
  const maybe = (id: TableId): Table | null => tableOf(id, shape, dialect, codec);
  return {
    dialect,
    shape,
    codec,
    write: writerOf(dialect),
    run: engine.run,
    batch: engine.batch,
    now: now ?? (() => new Date()),
    duplicated: new Set(duplicates.map(({ table }) => table)),
    maybe,
    table: (id) => {
      const table = maybe(id);
      if (!table) throw new TypeError(`the schema has no table for ${id}`);
      return table;
    },
  };
}

function methodsOf(store: Store): SqlAdapter {
  return {
    ...usersOf(store),
    ...accountsOf(store),
    ...sessionsOf(store),
    ...verificationTokensOf(store),
    ...authenticatorsOf(store),
    cleanup: cleanupOf(store),
  };
}

/** An object whose methods wait until the database is open; again at the next call when opening failed. */
function openedAtFirstUse(open: () => Promise<SqlAdapter>): SqlAdapter {
  let opened: SqlAdapter | undefined;
  let opening: Promise<SqlAdapter> | undefined;

  async function openOnce(): Promise<SqlAdapter> {
    opening ??= open();
    try {
      opened = await opening;
      return opened;
    } finally {
      opening = undefined;
    }
  }

  const methods = METHODS.map((name) => {
    // The methods' types differ; each is called with what it was called with.
    type Method = (...parameters: unknown[]) => unknown;
    const call: Method = (...parameters) =>
      opened
        ? (opened[name] as Method)(...parameters)
        : openOnce().then((adapter) => (adapter[name] as Method)(...parameters));
    return [name, call];
  });
  return Object.fromEntries(methods) as SqlAdapter;
}

const METHODS: readonly (keyof SqlAdapter)[] = Object.keys({
  createUser: true,
  getUser: true,
  getUserByEmail: true,
  getUserByAccount: true,
  updateUser: true,
  deleteUser: true,
  linkAccount: true,
  unlinkAccount: true,
  getAccount: true,
  updateAccount: true,
  createUserWithAccount: true,
  createSession: true,
  getSessionAndUser: true,
  updateSession: true,
  deleteSession: true,
  replaceSession: true,
  extendSession: true,
  createVerificationToken: true,
  useVerificationToken: true,
  spendOnce: true,
  getAuthenticator: true,
  createAuthenticator: true,
  listAuthenticatorsByUserId: true,
  updateAuthenticatorCounter: true,
  cleanup: true,
} satisfies Record<keyof SqlAdapter, true>) as (keyof SqlAdapter)[];

function warn(duplicates: readonly Duplicates[]): void {
  const told = duplicates.map(({ table, columns, groups }) => `${table} (${columns.join(', ')}): ${groups}`);
  console.warn(
    `[latchkey] rows share keys that must be unique, so no index protects them. Mend them and migrate again: ${told.join('; ')}`,
  );
}

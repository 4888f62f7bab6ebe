import type { AdapterSessionMethods, UserFieldDefinitions, WithUserFields } from '@latchkey/core/adapters';
import { cleanupOf } from './cleanup.ts';
import { codecOf } from './codec.ts';
import { checkConnection } from './connection.ts';
import { type Database, type EngineOptions, engineOf } from './database.ts';
import type { Engine } from './dialect.ts';
import { type Duplicates, type Extent, type Migrated, migrateEngine, requireTables } from './migrate/migrate.ts';
import { migrationsOf, type SqlMigrations } from './migrate/migrations.ts';
import { fields, type TableId } from './schema/fields.ts';
import type { SqlSchema } from './schema/options.ts';
import type { PresetName } from './schema/presets.ts';
import { eachTable, type Shape, shapeOf } from './schema/shape.ts';
import { SqlSessionRecords } from './session-records.ts';
import { type HashSessionTokens, type SessionTokens, sessionTokensOf } from './session-tokens.ts';
import { writerOf } from './statement.ts';
import type { ChildTable, Store } from './store.ts';
import { type Table, tableOf } from './table.ts';
import { type AccountMethods, accountsOf } from './tables/accounts.ts';
import { type AuthenticatorMethods, authenticatorsOf } from './tables/authenticators.ts';
import { sessionsOf } from './tables/sessions.ts';
import { CHILDREN, type UserMethods, usersOf } from './tables/users.ts';
import { type VerificationTokenMethods, verificationTokensOf } from './tables/verification-tokens.ts';
import { SqlTokenVault } from './token-vault.ts';

/** `userFields` of an adapter without the option. */
export type NoUserFields = Record<never, never>;

/** Options of {@link SqlAdapter}. */
export interface SqlAdapterOptions<F extends UserFieldDefinitions = UserFieldDefinitions> extends EngineOptions {
  /**
   * Migrate the database before the first statement. With a preset, this adds only unique indexes; the function
   * `migrate` adds everything. Default: `true`.
   */
  migrate?: boolean | undefined;
  /** The tables. A string is short for `{ preset }`. Default: the reference schema. */
  schema?: PresetName | SqlSchema | undefined;
  /**
   * Further columns of the users, at most 64. Default in your own schema: no columns. Default with a preset: the first
   * 64 columns of the table that hold plain values. Columns whose names say that they hold a secret, such as
   * `passwordHash`, are only used if they are listed.
   *
   * ```ts
   * SqlAdapter(pool, { userFields: { role: 'text', plan: { type: 'number', column: 'plan_no' } } });
   * ```
   */
  userFields?: F | undefined;
  /**
   * Called if a unique index cannot be added, because several rows have the same key. Default: a warning on the
   * console.
   */
  onDuplicates?: ((duplicates: readonly Duplicates[]) => void) | undefined;
  /**
   * Store a hash of each session's token, so that a copy of the database contains no usable cookies. `'read'`: write
   * tokens, and read both forms. If several processes share the database, deploy `'read'` first, then `true`. Auth.js
   * does not find rows with a hash. Default: `false`.
   */
  hashSessionTokens?: HashSessionTokens | undefined;
  /** Returns the time that `cleanup` and `spendOnce` compare with expiries. Default: the system's clock. */
  now?: (() => Date) | undefined;
}

/** The methods that {@link SqlAdapter} returns. */
export interface SqlAdapter<F extends UserFieldDefinitions = NoUserFields> extends Methods, WithUserFields<F> {
  /** The session records of this database, in tables of their own. They are created at the first use of a record. */
  readonly sessionRecords: SqlSessionRecords;
  /** The token vault of this database, in a table of its own. It is created at the first use of an entry. */
  readonly tokenVault: SqlTokenVault;
  /**
   * Lists and adds the tables, columns and indexes that the database lacks. `apply()` does the same as `migrate`, and
   * `apply({ tokens: true })` also creates the table of the token vault.
   */
  readonly migrations: SqlMigrations;
}

interface Methods
  extends UserMethods,
    AccountMethods,
    AdapterSessionMethods,
    VerificationTokenMethods,
    AuthenticatorMethods {
  /** Deletes expired rows, two hundred in a transaction. Returns the number of deleted rows. */
  cleanup(): Promise<number>;
  /**
   * Checks that the tables exist. With `migrate: false` this is the first time that they are looked up.
   *
   * @throws {Error} if a table is missing; the message names it, and the call that creates it.
   */
  ready(use: { readonly sessions: boolean; readonly passkeys: boolean }): Promise<void>;
}

/**
 * Returns an adapter that stores users, accounts, sessions, passkeys and one-time tokens in a SQL database.
 *
 * ```ts
 * import { DatabaseSync } from 'node:sqlite';
 * import { SqlAdapter } from '@latchkey/adapter-sql';
 *
 * const adapter = SqlAdapter(new DatabaseSync('auth.db'));
 * ```
 *
 * A member of a user without a column is not stored, and causes the warning `user-field-dropped`. A text that the
 * database cannot store unchanged is refused with a `TypeError`; looking for such a text finds nothing.
 *
 * If a SQLite connection has an open transaction, the adapter's statements become part of it. The first use, which
 * migrates, should be outside a transaction. If several processes share a SQLite file, `pragma journal_mode = wal`
 * allows reads during a write.
 *
 * @throws {TypeError} if the adapter does not support `db`, or with all problems of `schema` and `userFields`.
 */
export function SqlAdapter<const F extends UserFieldDefinitions = NoUserFields>(
  db: Database,
  options: SqlAdapterOptions<F> = {},
): SqlAdapter<F> {
  const engine = engineOf(db, options);
  const shape = shapeOf(options.schema, engine.dialect, options.userFields);
  const sessionTokens = sessionTokensOf(options.hashSessionTokens);
  let sessionRecords: SqlSessionRecords | undefined;
  let tokenVault: SqlTokenVault | undefined;
  const extent = extentOf(options.migrate, shape);
  const methods = openAtFirstUse(async () => {
    await checkConnection(engine);
    const migrated = await migrateEngine(engine, shape, extent);
    if (migrated.duplicates.length > 0) (options.onDuplicates ?? warnOfDuplicates)(migrated.duplicates);
    warnOfWithheld(migrated.shape);
    const kept = await keptByRepeatedIds(engine, migrated.shape);
    const ready = readyOf(engine, migrated.shape, options.migrate === false);
    return { ...methodsOf(storeOf(engine, migrated, { kept, sessionTokens }, options.now)), ready };
  });
  return {
    ...methods,
    migrations: migrationsOf(engine, shape, extent),
    get sessionRecords() {
      const { dialect, prepare, migrate } = options;
      sessionRecords ??= SqlSessionRecords(db, { dialect, prepare, migrate });
      return sessionRecords;
    },
    get tokenVault() {
      const { dialect, prepare, migrate } = options;
      tokenVault ??= SqlTokenVault(db, { dialect, prepare, migrate });
      return tokenVault;
    },
  };
}

function extentOf(migrate: boolean | undefined, shape: Shape): Extent {
  if (migrate === false) return 'nothing';
  return shape.foreign ? 'unique' : 'all';
}

/** Facts of a database that follow neither from its engine nor from its tables. */
interface StoreFacts {
  readonly kept: readonly ChildTable[];
  readonly sessionTokens: SessionTokens;
}

function storeOf(
  engine: Engine,
  { shape, duplicates }: Migrated,
  { kept, sessionTokens }: StoreFacts,
  now = () => new Date(),
): Store {
  const { dialect, run, batch } = engine;
  const codec = codecOf(dialect, shape);
  // `eachTable` has one type for all members.
  const tables = eachTable((id) => tableOf(id, shape, dialect, codec)) as { [Id in TableId]: Table<Id> | null };
  return {
    dialect,
    shape,
    codec,
    write: writerOf(dialect),
    run,
    batch,
    now,
    sessionTokens,
    duplicated: new Set(duplicates.map(({ table }) => table)),
    keptByRepeatedIds: kept,
    optionalTable: (id) => tables[id],
    table: (id) => {
      const table = tables[id];
      if (!table) throw new TypeError(`the schema has no table for ${id}`);
      return table;
    },
    warnOfDropped: warningOfDropped(shape),
  };
}

/** Migrating has found or made all tables. Without it, they are looked up once. */
function readyOf(engine: Engine, shape: Shape, isUnknown: boolean): Methods['ready'] {
  const present = new Set<string>();
  return async ({ sessions, passkeys }) => {
    if (!isUnknown) return;
    const needed: TableId[] = ['users', 'accounts', 'verificationTokens'];
    if (sessions) needed.push('sessions');
    if (passkeys) needed.push('authenticators');
    const open = needed.flatMap((id) => shape.tables[id] ?? []).filter(({ name }) => !present.has(name));
    if (open.length === 0) return;
    await requireTables(engine, open);
    for (const { name } of open) present.add(name);
  };
}

function methodsOf(store: Store): Omit<Methods, 'ready'> {
  return {
    ...usersOf(store),
    ...accountsOf(store),
    ...sessionsOf(store),
    ...verificationTokensOf(store),
    ...authenticatorsOf(store),
    cleanup: cleanupOf(store),
  };
}

/** Returns an object whose methods open the database at the first call. If this fails, the next call tries again. */
function openAtFirstUse(open: () => Promise<Methods>): Methods {
  let opened: Methods | undefined;
  let opening: Promise<Methods> | undefined;

  async function openOnce(): Promise<Methods> {
    opening ??= open();
    try {
      opened = await opening;
      return opened;
    } finally {
      opening = undefined;
    }
  }

  // The types of the methods differ. Each call passes its parameters on.
  type Method = (...parameters: unknown[]) => unknown;
  const methods = METHODS.map((name): [string, Method] => [
    name,
    (...parameters) =>
      opened
        ? (opened[name] as Method)(...parameters)
        : openOnce().then((adapter) => (adapter[name] as Method)(...parameters)),
  ]);
  return Object.fromEntries(methods) as unknown as Methods;
}

const METHODS: readonly (keyof Methods)[] = Object.keys({
  createUser: true,
  getUser: true,
  getUserByEmail: true,
  getUserByAccount: true,
  updateUser: true,
  updateUserEmail: true,
  deleteUser: true,
  linkAccount: true,
  unlinkAccount: true,
  unlinkAccountIfNotLast: true,
  getAccount: true,
  listAccountsByUserId: true,
  updateAccount: true,
  createUserWithAccount: true,
  createSession: true,
  getSessionAndUser: true,
  updateSession: true,
  deleteSession: true,
  replaceSession: true,
  extendSession: true,
  deleteSessionsByUserId: true,
  createVerificationToken: true,
  useVerificationToken: true,
  deleteVerificationTokens: true,
  spendOnce: true,
  getAuthenticator: true,
  createAuthenticator: true,
  listAuthenticatorsByUserId: true,
  updateAuthenticatorCounter: true,
  updateAuthenticator: true,
  deleteAuthenticator: true,
  cleanup: true,
  ready: true,
} satisfies Record<keyof Methods, true>) as (keyof Methods)[];

function warnOfDuplicates(duplicates: readonly Duplicates[]): void {
  const keys = duplicates.map(({ table, columns, groups }) => `${table} (${columns.join(', ')}): ${groups}`);
  console.warn(
    `[latchkey] several rows have the same key, so no unique index can be added. Correct the rows and migrate again: ${keys.join('; ')}`,
  );
}

function warnOfWithheld({ tables, withheldColumns }: Shape): void {
  if (withheldColumns.length === 0) return;
  console.warn(
    `[auth][warn][private-columns] columns of table ${tables.users?.name} are not read or written, because their names say that they hold a secret: ${withheldColumns.join(', ')}. List all further columns that the application needs in \`userFields\``,
  );
}

/**
 * Returns the tables that may hold rows of a deleted user whose id the next user gets, and warns of that. With
 * `migrate: false`, tables may be missing.
 */
async function keptByRepeatedIds({ dialect, run }: Engine, { ids, tables }: Shape): Promise<ChildTable[]> {
  const isNumbered = ids.type === 'integer' || ids.type === 'bigint';
  if (!dialect.repeatsIds || !isNumbered || !tables.users) return [];
  const [row] = (await run(dialect.repeatsIds(tables.users.name))).rows;
  if (Number(row?.['repeats']) !== 1) return [];
  console.warn(
    `[auth][warn][repeated-ids] SQLite gives the id of the user who was deleted last to the next user of table ${tables.users.name}. A session in a cookie of the deleted user is then one of the new user. Declare the id as \`integer primary key autoincrement\``,
  );
  const present: ChildTable[] = [];
  for (const id of CHILDREN) {
    const table = tables[id];
    if (table && (await run(dialect.columnsOf(table.name))).rows.length > 0) present.push(id);
  }
  return present;
}

function warningOfDropped({ tables }: Shape): (user: object) => void {
  const known = new Set<string>([
    ...Object.keys(fields.users),
    ...(tables.users?.further ?? []).map(({ field }) => field),
  ]);
  let hasWarned = false;
  return (user) => {
    if (hasWarned) return;
    const dropped = Object.entries(user).flatMap(([name, value]) =>
      value === undefined || known.has(name) ? [] : [name],
    );
    if (dropped.length === 0) return;
    hasWarned = true;
    console.warn(
      `[auth][warn][user-field-dropped] table ${tables.users?.name} has no column for ${dropped.join(', ')} of the user. Add the column and name it in \`userFields\`, or remove the member.`,
    );
  };
}

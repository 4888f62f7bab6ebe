import { type Database, type EngineOptions, engineOf } from './database.ts';
import type { DialectName } from './dialect.ts';
import { dialectNamed } from './dialects/index.ts';
import { checkTableName, creationSql, type OwnTable, openerOf } from './own-tables.ts';
import { type VaultSteps, vaultRowsOf } from './token-vault-rows.ts';

/** Options of {@link SqlTokenVault}. */
export interface SqlTokenVaultOptions extends EngineOptions {
  /** Name of the table, with or without its schema. Default: `auth_tokens`. */
  table?: string | undefined;
  /** Create the table before the first statement if it does not exist. Default: `true`. */
  migrate?: boolean | undefined;
}

/** The token vault of a database. */
export interface SqlTokenVault extends VaultSteps {}

const TABLE = 'auth_tokens';

/**
 * Returns a store for provider tokens that keeps its entries in a table. It works beside any adapter.
 *
 * ```ts
 * const config = { providers, adapter, tokens: { store: SqlTokenVault(pool) } };
 * ```
 *
 * A `SqlAdapter` has such a store as its member `tokenVault`. Each step is one statement. Leases count on the clock of
 * the database. Call `cleanup` from time to time.
 *
 * Steps throw a `TypeError` if the database cannot store a text unchanged, and the errors of the driver.
 *
 * @throws {TypeError} if the adapter does not support `db`, or if `table` is not a table's name.
 */
export function SqlTokenVault(db: Database, options: SqlTokenVaultOptions = {}): SqlTokenVault {
  const engine = engineOf(db, options);
  const table = vaultTable(options.table);
  const open = openerOf(engine, [table], options.migrate);
  let made: VaultSteps | undefined;

  async function rows(): Promise<VaultSteps> {
    await open();
    made ??= vaultRowsOf(engine, table.name);
    return made;
  }

  return {
    read: async (key) => (await rows()).read(key),
    find: async (userId, provider) => (await rows()).find(userId, provider),
    lease: async (key, version, holder, seconds) => (await rows()).lease(key, version, holder, seconds),
    write: async (entry, expected) => (await rows()).write(entry, expected),
    remove: async (key) => (await rows()).remove(key),
    scan: async (after, limit) => (await rows()).scan(after, limit),
    cleanup: async (now) => (await rows()).cleanup(now),
  };
}

/**
 * Returns the statements that create the table of a token vault, for applications that run their own migrations.
 *
 * ```ts
 * writeFileSync('tokens.sql', tokenVaultSql('postgres'));
 * ```
 *
 * @param table Name of the table, with or without its schema. Default: `auth_tokens`.
 * @throws {TypeError} if no dialect has this name, or if `table` is not a table's name.
 */
export function tokenVaultSql(dialect: DialectName, table?: string): string {
  return creationSql(dialectNamed(dialect), [vaultTable(table)]);
}

/**
 * Returns the table of a vault. Instants are integers in milliseconds, which every database compares and returns
 * exactly.
 */
export function vaultTable(name: string = TABLE): OwnTable {
  return {
    name: checkTableName('table', name),
    columns: [
      { name: 'provider', kind: 'key' },
      { name: 'providerAccountId', kind: 'key' },
      { name: 'userId', kind: 'key' },
      { name: 'version', kind: 'number' },
      { name: 'sealed', kind: 'text' },
      { name: 'expires', kind: 'number', optional: true },
      { name: 'leaseHolder', kind: 'key', optional: true },
      { name: 'leaseUntil', kind: 'number', optional: true },
    ],
    primaryKey: ['provider', 'providerAccountId'],
    indexes: [['userId'], ['expires']],
  };
}

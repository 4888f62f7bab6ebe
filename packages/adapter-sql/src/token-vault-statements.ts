import { type RawBuilder, sql } from 'kysely';
import type { Encoded } from './codec.ts';
import type { Dialect, Query } from './dialect.ts';
import { type SlotOf, type Statement, statement, writerOf } from './statement.ts';

/** Expired entries that one statement deletes. */
export const SWEPT = 200;

/** The columns of an entry, without those of its lease. */
const COLUMNS = ['provider', 'providerAccountId', 'userId', 'version', 'sealed', 'expires'] as const;

type Build = (slot: SlotOf<Encoded>) => RawBuilder<unknown>;

/** The statements of a token vault. */
export interface VaultStatements {
  readonly read: Statement<Encoded>;
  readonly find: Statement<Encoded>;
  /** Finds the entries of one provider. */
  readonly findOf: Statement<Encoded>;
  readonly lease: Statement<Encoded>;
  readonly insert: Statement<Encoded>;
  readonly update: Statement<Encoded>;
  readonly remove: Statement<Encoded>;
  readonly sweep: Statement<Encoded>;
  /** Returns the query for the next entries after a key. */
  scan(limit: number, after: Encoded | null): Query;
}

/** Compiles the statements of a token vault. */
export function vaultStatements(dialect: Dialect, name: string): VaultStatements {
  const write = writerOf(dialect);
  const compiled = (build: Build): Statement<Encoded> =>
    statement((slot) => ({ compile: () => build(slot).compile(write) }));
  const [table, clock] = [sql.table(name), sql.raw(dialect.clock)];
  const isMysql = dialect.name === 'mysql';
  const columns = sql.join(COLUMNS.map((column) => sql.ref(column)));
  const key = sql`${sql.ref('provider')}, ${sql.ref('providerAccountId')}`;

  const isEntry: Build = (slot) =>
    sql`${sql.ref('provider')} = ${slot('provider')} and ${sql.ref('providerAccountId')} = ${slot('providerAccountId')}`;
  const isOf: Build = (slot) => sql`${sql.ref('userId')} = ${slot('userId')}`;

  const isFree: Build = (
    slot,
  ) => sql`(${sql.ref('leaseHolder')} is null or ${sql.ref('leaseHolder')} = ${slot('holder')}
      or ${sql.ref('leaseUntil')} <= ${clock})`;

  /** Clients of MySQL may count only rows that change, so a lease for the same instant ends a millisecond earlier. */
  const leaseEnd: Build = (slot) => {
    const end = sql`${clock} + ${slot('milliseconds')}`;
    return isMysql ? sql`${end} - (coalesce(${sql.ref('leaseUntil')}, 0) = ${end})` : end;
  };

  /** MySQL uses no index for a comparison of pairs. */
  const isAfter: Build = (slot) => {
    const [provider, account] = [slot('provider'), slot('providerAccountId')];
    if (!isMysql) return sql`(${key}) > (${provider}, ${account})`;
    return sql`(${sql.ref('provider')} > ${provider}
      or (${sql.ref('provider')} = ${provider} and ${sql.ref('providerAccountId')} > ${account}))`;
  };

  const sweep: Build = (slot) => {
    const isExpired = sql`${sql.ref('expires')} <= ${slot('now')}`;
    if (isMysql) return sql`delete from ${table} where ${isExpired} limit ${sql.lit(SWEPT)}`;
    const keys = sql`select ${key} from ${table} where ${isExpired} limit ${sql.lit(SWEPT)}`;
    return sql`delete from ${table} where (${key}) in (${keys}) and ${isExpired}`;
  };

  return {
    read: compiled((slot) => sql`select ${columns} from ${table} where ${isEntry(slot)}`),
    find: compiled((slot) => sql`select ${columns} from ${table} where ${isOf(slot)}`),
    findOf: compiled(
      (slot) =>
        sql`select ${columns} from ${table} where ${isOf(slot)} and ${sql.ref('provider')} = ${slot('provider')}`,
    ),
    lease: compiled(
      (slot) => sql`
    update ${table} set ${sql.ref('leaseHolder')} = ${slot('holder')}, ${sql.ref('leaseUntil')} = ${leaseEnd(slot)}
    where ${isEntry(slot)} and ${sql.ref('version')} = ${slot('version')} and ${isFree(slot)}`,
    ),
    insert: compiled((slot) => {
      const values = sql.join(COLUMNS.map((column) => sql`${slot(column)}`));
      return sql`insert into ${table} (${columns}) values (${values})`;
    }),
    update: compiled(
      (slot) => sql`
    update ${table}
    set ${sql.ref('userId')} = ${slot('userId')}, ${sql.ref('sealed')} = ${slot('sealed')},
      ${sql.ref('expires')} = ${slot('expires')}, ${sql.ref('leaseHolder')} = null, ${sql.ref('leaseUntil')} = null,
      ${sql.ref('version')} = ${slot('version')}
    where ${isEntry(slot)} and ${sql.ref('version')} = ${slot('expected')}`,
    ),
    remove: compiled((slot) => sql`delete from ${table} where ${isEntry(slot)}`),
    sweep: compiled(sweep),
    // The limit is part of the text: drivers of MySQL send numbers as fractions, which `limit` refuses.
    scan: (limit, after) => {
      const page: Build = (slot) =>
        sql`select ${columns} from ${table} ${after ? sql`where ${isAfter(slot)}` : sql``} order by ${key} limit ${sql.lit(limit)}`;
      return compiled(page)(after ?? {});
    },
  };
}

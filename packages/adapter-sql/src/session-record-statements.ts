import { epochFields, recordFields, recordPage } from '@latchkey/core/adapters';
import { type RawBuilder, sql } from 'kysely';
import type { Encoded } from './codec.ts';
import type { Dialect } from './dialect.ts';
import { type SlotOf, type Statement, statement, writerOf } from './statement.ts';

/** The names of the tables. */
export interface RecordTables {
  readonly records: string;
  readonly epochs: string;
}

/** Numbers of ids that one statement removes. Fixed, so that few statements are prepared; spare ids are null. */
export const REMOVED: readonly number[] = [1, 20, 200];

/** Expired rows that one statement deletes. */
export const SWEPT = 200;

type Build = (slot: SlotOf<Encoded>) => RawBuilder<unknown>;

/** The statements that find records by a key. */
export interface Found {
  readonly first: Statement<Encoded>;
  /** Skips records by a window function: drivers of MySQL send numbers as fractions, which `offset` refuses. */
  readonly further: Statement<Encoded>;
}

/** The statements that delete records and return their ids. */
export interface Removal {
  /** For dialects with `returning`. */
  readonly returning: Statement<Encoded>;
  /** Otherwise the records are read and locked before they are deleted. */
  readonly lock: Statement<Encoded>;
  readonly delete: Statement<Encoded>;
}

/** The statements of a record store. */
export interface RecordStatements {
  readonly read: Statement<Encoded>;
  readonly touch: Statement<Encoded>;
  readonly find: Readonly<Record<'userId' | 'providerSession' | 'providerUser', Found>>;
  /** Replaces a record that has expired. */
  readonly insert: Statement<Encoded>;
  /** The same rule as `laterEpoch` of core, in one statement. */
  readonly endBefore: Statement<Encoded>;
  readonly sweepRecords: Statement<Encoded>;
  readonly sweepEpochs: Statement<Encoded>;
  removals(size: number): Removal;
}

/** Compiles the statements of a record store. */
export function recordStatements(dialect: Dialect, tables: RecordTables): RecordStatements {
  const write = writerOf(dialect);
  const compiled = (build: Build): Statement<Encoded> =>
    statement((slot) => ({ compile: () => build(slot).compile(write) }));
  const [records, epochs] = [sql.table(tables.records), sql.table(tables.epochs)];
  const isMysql = dialect.name === 'mysql';

  const recordColumns = columnList(recordFields, 'record');
  const recordsWithEpochs = sql`from ${records} as ${sql.ref('record')}
    left join ${epochs} as ${sql.ref('epoch')} on ${sql.ref('epoch.userId')} = ${sql.ref('record.userId')}`;

  const foundBy = (field: string): Found => {
    const order = sql`${sql.ref('record.seenAt')} desc, ${sql.ref('record.id')}`;
    const isLive: Build = (slot) => sql`${sql.ref(`record.${field}`)} = ${slot('key')}
      and ${sql.ref('record.expires')} > ${slot('now')}
      and (${sql.ref('epoch.userId')} is null or ${sql.ref('record.startedAt')} >= ${sql.ref('epoch.before')}
        or ${sql.ref('record.id')} = ${sql.ref('epoch.except')})`;
    const live: Build = (slot) => sql`${recordsWithEpochs} where ${isLive(slot)}`;
    return {
      first: compiled(
        (slot) => sql`select ${recordColumns} ${live(slot)} order by ${order} limit ${sql.lit(recordPage)}`,
      ),
      further: compiled((slot) => {
        const place = sql.ref('place');
        const placed = sql`select ${recordColumns}, row_number() over (order by ${order}) as ${place} ${live(slot)}`;
        return sql`select * from (${placed}) as ${sql.ref('placed')}
    where ${place} > ${slot('skip')} order by ${place} limit ${sql.lit(recordPage)}`;
      }),
    };
  };

  /**
   * Inserts a row, or changes the row that has its key. A dialect that assigns one column after the other must not read
   * a column that it has changed: the order of `changes` counts.
   */
  const upsert = (
    table: RawBuilder<unknown>,
    fields: object,
    key: string,
    changes: (slot: SlotOf<Encoded>, kept: (field: string) => RawBuilder<unknown>) => [string, RawBuilder<unknown>][],
  ): Statement<Encoded> =>
    compiled((slot) => {
      const kept = (field: string): RawBuilder<unknown> => sql.ref(isMysql ? field : `kept.${field}`);
      const values = sql.join(Object.keys(fields).map((field) => sql`${slot(field)}`));
      const assignments = sql.join(changes(slot, kept).map(([field, value]) => sql`${sql.ref(field)} = ${value}`));
      return sql`
    insert into ${table} ${isMysql ? sql`` : sql`as ${sql.ref('kept')}`} (${columnList(fields)}) values (${values})
    ${isMysql ? sql`on duplicate key update` : sql`on conflict (${sql.ref(key)}) do update set`} ${assignments}`;
    });

  const sweep = (table: RawBuilder<unknown>, key: string): Statement<Encoded> =>
    compiled((slot) => {
      const isExpired = sql`${sql.ref('expires')} <= ${slot('now')}`;
      if (isMysql) return sql`delete from ${table} where ${isExpired} limit ${sql.lit(SWEPT)}`;
      const keys = sql`select ${sql.ref(key)} from ${table} where ${isExpired} limit ${sql.lit(SWEPT)}`;
      return sql`delete from ${table} where ${sql.ref(key)} in (${keys}) and ${isExpired}`;
    });

  const removalOf = (size: number): Removal => {
    const isNamed: Build = (slot) => {
      const slots = Array.from({ length: size }, (_, index) => sql`${slot(`id${index}`)}`);
      return sql`${sql.ref('id')} in (${sql.join(slots)})`;
    };
    return {
      returning: compiled((slot) => sql`delete from ${records} where ${isNamed(slot)} returning ${sql.ref('id')}`),
      // All callers lock in the same order.
      lock: compiled(
        (slot) =>
          sql`select ${sql.ref('id')} from ${records} where ${isNamed(slot)} order by ${sql.ref('id')} for update`,
      ),
      delete: compiled((slot) => sql`delete from ${records} where ${isNamed(slot)}`),
    };
  };
  const removals = new Map(REMOVED.map((size) => [size, removalOf(size)]));

  return {
    read: compiled(
      (slot) => sql`
    select ${recordColumns}, ${sql.ref('epoch.before')}, ${sql.ref('epoch.except')} ${recordsWithEpochs}
    where ${sql.ref('record.id')} = ${slot('id')}`,
    ),
    touch: compiled(
      (slot) => sql`
    update ${records}
    set ${sql.ref('expires')} = ${later(sql.ref('expires'), slot('expires'))},
      ${sql.ref('handle')} = coalesce(${slot('handle')}, ${sql.ref('handle')}), ${sql.ref('seenAt')} = ${slot('now')}
    where ${sql.ref('id')} = ${slot('id')} and ${sql.ref('seenAt')} < ${slot('after')}`,
    ),
    find: {
      userId: foundBy('userId'),
      providerSession: foundBy('providerSession'),
      providerUser: foundBy('providerUser'),
    },
    insert: upsert(records, recordFields, 'id', (slot, kept) =>
      [...Object.keys(recordFields).filter((field) => field !== 'expires'), 'expires'].map((field) => [
        field,
        sql`case when ${kept('expires')} <= ${slot('seenAt')} then ${slot(field)} else ${kept(field)} end`,
      ]),
    ),
    endBefore: upsert(epochs, epochFields, 'userId', (slot, kept) => [
      [
        'except',
        sql`case when ${kept('before')} > ${slot('before')} then ${kept('except')}
        when ${kept('before')} < ${slot('before')} or ${kept('except')} = ${slot('except')} then ${slot('except')} end`,
      ],
      ['expires', later(kept('expires'), slot('expires'))],
      ['before', later(kept('before'), slot('before'))],
    ]),
    sweepRecords: sweep(records, 'id'),
    sweepEpochs: sweep(epochs, 'userId'),
    removals: (size: number): Removal => removals.get(size) ?? removalOf(size),
  };
}

function columnList(fields: object, table?: string): RawBuilder<unknown> {
  return sql.join(Object.keys(fields).map((field) => sql.ref(table ? `${table}.${field}` : field)));
}

/** `greatest` has another name in SQLite. */
function later(column: RawBuilder<unknown>, value: unknown): RawBuilder<unknown> {
  return sql`case when ${column} > ${value} then ${column} else ${value} end`;
}

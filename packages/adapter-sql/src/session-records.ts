import type { RecordKey, RecordTouch, SessionEpoch, SessionRecord, SessionRecords } from '@latchkey/core/types';
import { type Database, type EngineOptions, engineOf } from './database.ts';
import type { DialectName } from './dialect.ts';
import { dialectNamed } from './dialects/index.ts';
import { checkTableName, creationSql, type OwnTable, openerOf } from './own-tables.ts';
import { epochColumns, recordColumns, recordRowsOf } from './session-record-rows.ts';

/** The names of the tables of session records. */
export interface SessionRecordTables {
  /** Name of the table of records, with or without its schema. Default: `auth_sessionRecords`. */
  records?: string | undefined;
  /** Name of the table of epochs. Default: `auth_sessionEpochs`. */
  epochs?: string | undefined;
}

/** Options of {@link SqlSessionRecords}. */
export interface SqlSessionRecordsOptions extends EngineOptions {
  /** The names of the tables. Default: `auth_sessionRecords` and `auth_sessionEpochs`. */
  tables?: SessionRecordTables | undefined;
  /** Create the tables before the first statement if they do not exist. Default: `true`. */
  migrate?: boolean | undefined;
}

/** The session records of a database. */
export interface SqlSessionRecords extends SessionRecords {
  /** See {@link SessionRecords.create}. */
  create(record: SessionRecord): Promise<void>;
  /** See {@link SessionRecords.check}. */
  check(id: string, touch: RecordTouch): Promise<SessionRecord | 'ended' | 'unknown'>;
  /** See {@link SessionRecords.find}. */
  find(by: RecordKey, now: Date, skip?: number): Promise<readonly SessionRecord[]>;
  /** See {@link SessionRecords.remove}. */
  remove(ids: readonly string[]): Promise<readonly string[]>;
  /** See {@link SessionRecords.endBefore}. */
  endBefore(userId: string, epoch: SessionEpoch): Promise<void>;
  /**
   * Deletes expired records and epochs, two hundred in a statement. Returns the number of deleted rows.
   *
   * @param now The current time. Default: the system's clock.
   */
  cleanup(now?: Date): Promise<number>;
}

/**
 * Returns a store for `session.records` that keeps its rows in two tables. It works beside any adapter.
 *
 * ```ts
 * const config = { providers, adapter, session: { records: { store: SqlSessionRecords(pool) } } };
 * ```
 *
 * A `SqlAdapter` has such a store as its member `sessionRecords`. Call `cleanup` from time to time.
 *
 * @throws {TypeError} if the adapter does not support `db`, or if a name in `tables` is not a table's name.
 */
export function SqlSessionRecords(db: Database, options: SqlSessionRecordsOptions = {}): SqlSessionRecords {
  const engine = engineOf(db, options);
  const { records, epochs } = tablesOf(options.tables);
  const open = openerOf(engine, [records, epochs], options.migrate);
  let made: ReturnType<typeof recordRowsOf> | undefined;

  async function rows(): Promise<ReturnType<typeof recordRowsOf>> {
    await open();
    made ??= recordRowsOf(engine, { records: records.name, epochs: epochs.name });
    return made;
  }

  return {
    create: async (record) => (await rows()).create(record),
    check: async (id, touch) => (await rows()).check(id, touch),
    find: async (by, now, skip = 0) => (await rows()).find(by, now, skip),
    remove: async (ids) => (await rows()).remove(ids),
    endBefore: async (userId, epoch) => (await rows()).endBefore(userId, epoch),
    cleanup: async (now = new Date()) => (await rows()).cleanup(now),
  };
}

/**
 * Returns the statements that create the tables of session records, for applications that run their own migrations.
 *
 * ```ts
 * writeFileSync('session-records.sql', sessionRecordsSql('postgres'));
 * ```
 *
 * @param tables The names of the tables. Default: `auth_sessionRecords` and `auth_sessionEpochs`.
 * @throws {TypeError} if no dialect has this name, or if a name in `tables` is not a table's name.
 */
export function sessionRecordsSql(dialect: DialectName, tables?: SessionRecordTables): string {
  return creationSql(dialectNamed(dialect), Object.values(tablesOf(tables)));
}

function tablesOf({ records, epochs }: SessionRecordTables = {}): { records: OwnTable; epochs: OwnTable } {
  return {
    records: {
      name: checkTableName('tables.records', records ?? 'auth_sessionRecords'),
      columns: recordColumns,
      indexes: [['userId', 'seenAt'], ['providerSession'], ['providerUser'], ['expires']],
    },
    epochs: {
      name: checkTableName('tables.epochs', epochs ?? 'auth_sessionEpochs'),
      columns: epochColumns,
      indexes: [['expires']],
    },
  };
}

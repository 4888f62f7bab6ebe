import type { Codec, Encoded } from './codec.ts';
import type { Dialect, Engine, Result, Row, SqlValue, Step } from './dialect.ts';
import type { TableId } from './schema/fields.ts';
import type { IdRule, Shape } from './schema/shape.ts';
import type { SessionTokens } from './session-tokens.ts';
import type { Statement, Writer } from './statement.ts';
import type { Table } from './table.ts';

/** A table with rows of a user. */
export type ChildTable = Exclude<TableId, 'users' | 'verificationTokens'>;

/** A database that was migrated: everything that the adapter's methods need. */
export interface Store extends Pick<Engine, 'run' | 'batch'> {
  readonly dialect: Dialect;
  readonly shape: Shape;
  readonly codec: Codec;
  /** Writes SQL, and runs none. */
  readonly write: Writer;
  readonly now: () => Date;
  readonly sessionTokens: SessionTokens;
  /** Names of tables without a unique index, because several rows have the same key. */
  readonly duplicated: ReadonlySet<string>;
  /**
   * Tables that may hold rows of a deleted user whose id the next user gets. Empty if the database repeats no id.
   */
  readonly keptByRepeatedIds: readonly ChildTable[];
  /** @throws {TypeError} if the schema leaves the table out. */
  table<Id extends TableId>(id: Id): Table<Id>;
  /** Returns a table; `null` if the schema leaves it out. */
  optionalTable<Id extends TableId>(id: Id): Table<Id> | null;
  /** Warns once if a user has members that the table has no column for. */
  warnOfDropped(user: object): void;
}

/** Returns the id for a new row; `null` if the database makes it. */
export function newId(
  { shape, codec }: { shape: { readonly ids: IdRule }; codec: Codec },
  proposed?: unknown,
): SqlValue {
  const { madeBy, make } = shape.ids;
  if (madeBy === 'database') return null;
  return codec.required('id', 'id', make ? make() : (proposed ?? crypto.randomUUID()));
}

/** The statements that delete a row and return it. */
interface Deletion<Input> {
  /** For dialects with `returning`. */
  readonly returning: Statement<Input>;
  /** Otherwise the row is read and locked before it is deleted. */
  readonly select: Statement<Input>;
  readonly delete: Statement<Input>;
}

/** The last steps of a transaction, and the row that they delete. */
export interface DeletedRow {
  readonly steps: readonly Step[];
  /** Returns the row; `undefined` if another caller deleted it first. */
  row(results: readonly Result[]): Row | undefined;
}

/** Returns the steps that delete a row and return it to only one of several simultaneous callers. */
export function deleteReturning<Input>(dialect: Dialect, deletion: Deletion<Input>, input: Input): DeletedRow {
  if (dialect.returning) return { steps: [deletion.returning(input)], row: (results) => results.at(-1)?.rows[0] };
  return {
    steps: [deletion.select(input), deletion.delete(input)],
    row: (results) => (results.at(-1)?.affected ? results.at(-2)?.rows[0] : undefined),
  };
}

/** Runs steps in a transaction. A single statement runs without one. */
export async function runAll(
  store: Pick<Store, 'run' | 'batch'>,
  steps: readonly Step[],
  check?: (results: readonly Result[]) => void,
): Promise<readonly Result[]> {
  const [only] = steps;
  if (steps.length !== 1 || typeof only !== 'object') return store.batch(steps, check);
  const results = [await store.run(only)];
  check?.(results);
  return results;
}

/** Returns the parameters with the time for the stamps of a table, if it has some. */
export function withStamps(store: Store, table: Table, row: Encoded): Encoded {
  return table.stamps.inserted.length > 0 ? { ...row, now: store.codec.encode('date', 'now', store.now()) } : row;
}

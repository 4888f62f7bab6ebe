import type { Codec, Encoded } from './codec.ts';
import type { Dialect, Engine, Query, Result, Row, Step } from './dialect.ts';
import type { TableId } from './schema/fields.ts';
import type { IdRule, Shape } from './schema/shape.ts';
import type { Statement, Writer } from './statement.ts';
import type { Table } from './table.ts';

/** What the adapter's methods work with. */
export interface Store extends Pick<Engine, 'run' | 'batch'> {
  readonly dialect: Dialect;
  readonly shape: Shape;
  readonly codec: Codec;
  /** Writes SQL, and runs none. */
  readonly write: Writer;
  readonly now: () => Date;
  /** Tables that lack a unique index, because rows share what must be unique. */
  readonly duplicated: ReadonlySet<string>;
  table(id: TableId): Table;
  /** `null` for a table that the schema leaves out. */
  maybe(id: TableId): Table | null;
}

/** The id for a new row as a parameter; `null` when the database makes it. */
export function newId({ ids, codec }: { ids: IdRule; codec: Codec }, proposed?: unknown): Encoded[string] {
  if (ids.madeBy === 'database') return null;
  return codec.required('id', 'id', ids.make ? ids.make() : (proposed ?? crypto.randomUUID()));
}

/** A change whose rows the caller wants to see. */
export interface Taking {
  readonly steps: readonly Step[];
  /** The row, out of what the steps did; they are the last of a batch. */
  row(results: readonly { readonly rows: readonly Row[]; readonly affected: number }[]): Row | undefined;
}

/** Statements that delete a row and tell what it was. */
export interface Deletion<Input> {
  /** Where the dialect has `returning`. */
  readonly returning: Statement<Input>;
  /** Elsewhere the row is read, and locked, before it is deleted. */
  readonly select: Statement<Input>;
  readonly delete: Statement<Input>;
}

/** Deletes one row: of two callers at once, one gets it. */
export function taking<Input>(dialect: Dialect, deletion: Deletion<Input>, input: Input): Taking {
  if (dialect.returning) return { steps: [deletion.returning(input)], row: (results) => results.at(-1)?.rows[0] };
  return {
    steps: [deletion.select(input), deletion.delete(input)],
    row: (results) => (results.at(-1)?.affected ? results.at(-2)?.rows[0] : undefined),
  };
}

/** Runs what may be one statement as one, which needs no transaction. */
export async function runAll(
  store: Store,
  steps: readonly Step[],
  check?: Parameters<Engine['batch']>[1],
): Promise<readonly Result[]> {
  const [only] = steps;
  if (steps.length === 1 && typeof only === 'object') {
    const results = [await store.run(only as Query)];
    check?.(results);
    return results;
  }
  return store.batch(steps, check);
}

import { type Compilable, Kysely } from 'kysely';
import type { Dialect, Query, SqlValue } from './dialect.ts';

/** Tables and columns have the names that the configuration gives them: nothing is known of them here. */
export type AnyTables = Record<string, Record<string, SqlValue>>;

/** Writes SQL, and runs none. */
export type Writer = Kysely<AnyTables>;

/** A statement that Kysely wrote once; what changes from call to call is filled in. */
export type Statement<Input> = (input: Input) => Query;

/** Stands for a value of the input while a statement is being written. */
export type SlotOf<Input> = (name: keyof Input & string) => SqlValue;

/** Kysely for writing SQL only: its dialect's driver is never asked for a connection. */
export function writerOf(dialect: Dialect): Writer {
  return new Kysely<AnyTables>({ dialect: dialect.writer });
}

/** Compiles a statement. `build` is called once; values that are no slots are the same at each call. */
export function statement<Input extends object>(build: (slot: SlotOf<Input>) => Compilable): Statement<Input> {
  // Kysely hands parameters through untouched, so a marker can pass for the value that it stands for.
  const slotOf = (name: keyof Input & string): never => new Slot(name) as never;
  const { sql, parameters } = build(slotOf).compile();
  return (input) => ({
    sql,
    parameters: parameters.map((value) =>
      value instanceof Slot ? (input[value.name as keyof Input] as SqlValue) : (value as SqlValue),
    ),
  });
}

class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

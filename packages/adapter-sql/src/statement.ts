import { type Compilable, Kysely } from 'kysely';
import type { Dialect, Query, SqlValue } from './dialect.ts';

/** The configuration gives the names of tables and columns, so they have no types here. */
export type AnyTables = Record<string, Record<string, SqlValue>>;

/** A Kysely that writes SQL and runs none. */
export type Writer = Kysely<AnyTables>;

/** A statement that Kysely compiled once. Each call fills in its parameters. */
export type Statement<Input> = (input: Input) => Query;

/** Returns a placeholder for a parameter while a statement is compiled. */
export type SlotOf<Input> = (name: keyof Input & string) => SqlValue;

/** Returns a Kysely that writes SQL and never opens a connection. */
export function writerOf(dialect: Dialect): Writer {
  return new Kysely<AnyTables>({ dialect: dialect.writer });
}

/** Compiles a statement. `build` is called once: values that are not placeholders are the same in each call. */
export function statement<Input extends object>(build: (slot: SlotOf<Input>) => Compilable): Statement<Input> {
  // Kysely does not look at parameters, so an object can be the placeholder of a value.
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

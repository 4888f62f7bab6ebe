import { type RawBuilder, sql } from 'kysely';
import type { Engine, Query, Result, SqlValue } from '../../src/dialect.ts';
import { writerOf } from '../../src/statement.ts';

/** Compiles a statement in the engine's dialect. */
export function query({ dialect }: Pick<Engine, 'dialect'>, statement: RawBuilder<unknown>): Query {
  const { sql, parameters } = statement.compile(writerOf(dialect));
  return { sql, parameters: parameters as SqlValue[] };
}

/** Runs a statement of Kysely's `sql`. */
export async function run(engine: Engine, statement: RawBuilder<unknown>): Promise<Result> {
  return engine.run(query(engine, statement));
}

/** Runs a batch. Its errors are always rejections. */
export async function batch(engine: Engine, ...all: Parameters<Engine['batch']>): Promise<readonly Result[]> {
  return engine.batch(...all);
}

/** Returns the rows of a statement as plain objects. */
export async function rowsOf(engine: Engine, statement: RawBuilder<unknown>): Promise<Record<string, unknown>[]> {
  return (await run(engine, statement)).rows.map((row) => ({ ...row }));
}

/** Creates a table with `id`, a unique `name`, a `note`, a `number` and a date `at`. */
export async function makeThings(engine: Engine, at: string = engine.dialect.types.date): Promise<void> {
  const { types, tableSuffix } = engine.dialect;
  const columns = { id: 'integer not null primary key', name: types.key, note: types.text, number: types.number, at };
  await run(
    engine,
    sql.raw(
      `create table things (${Object.entries(columns)
        .map((column) => column.join(' '))
        .join(', ')}) ${tableSuffix}`,
    ),
  );
  await run(engine, sql.raw('create unique index things_name on things (name)'));
}

/** Returns a statement that inserts a thing. */
export function insert(engine: Engine, id: number, name: string, number: number | null = null): Query {
  return query(engine, sql`insert into things (id, name, number) values (${id}, ${name}, ${number})`);
}

/** Returns the ids of all things. */
export async function ids(engine: Engine): Promise<number[]> {
  return (await rowsOf(engine, sql`select id from things order by id`)).map(({ id }) => Number(id));
}

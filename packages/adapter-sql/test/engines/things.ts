import { type RawBuilder, sql } from 'kysely';
import type { Engine, Query, Result, SqlValue } from '../../src/dialect.ts';
import { writerOf } from '../../src/statement.ts';

/** A statement in the engine's dialect. */
export function query({ dialect }: Pick<Engine, 'dialect'>, statement: RawBuilder<unknown>): Query {
  const { sql, parameters } = statement.compile(writerOf(dialect));
  return { sql, parameters: parameters as SqlValue[] };
}

/** Runs a statement written by Kysely's `sql`. */
export async function run(engine: Engine, statement: RawBuilder<unknown>): Promise<Result> {
  return engine.run(query(engine, statement));
}

/** A batch, whose errors are always rejections. */
export async function batch(engine: Engine, ...all: Parameters<Engine['batch']>): Promise<readonly Result[]> {
  return engine.batch(...all);
}

/** Rows of a statement, as plain objects. */
export async function rowsOf(engine: Engine, statement: RawBuilder<unknown>): Promise<Record<string, unknown>[]> {
  return (await run(engine, statement)).rows.map((row) => ({ ...row }));
}

/** A table of tests: `id`, a `name` that is unique, a `note`, a `number`, an instant `at`. */
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

/** A statement that adds a thing. */
export function insert(engine: Engine, id: number, name: string, number: number | null = null): Query {
  return query(engine, sql`insert into things (id, name, number) values (${id}, ${name}, ${number})`);
}

/** Ids of the things that there are. */
export async function ids(engine: Engine): Promise<number[]> {
  return (await rowsOf(engine, sql`select id from things order by id`)).map(({ id }) => Number(id));
}

import {
  CamelCasePlugin,
  type DialectAdapter,
  DummyDriver,
  Kysely,
  MssqlAdapter,
  MssqlQueryCompiler,
  MysqlAdapter,
  MysqlQueryCompiler,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryCompiler,
  SqliteAdapter,
  SqliteDialect,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { describe, expect, it } from 'vitest';
import { engineOf } from '../../src/database.ts';
import { forKysely } from './engines.ts';
import { batch, ids, insert, makeThings, query, rowsOf, run } from './things.ts';

describe('Kysely', () => {
  const onSqlite = (options: { plugins?: CamelCasePlugin[] } = {}): Kysely<unknown> =>
    new Kysely<unknown>({ dialect: new SqliteDialect({ database: forKysely(':memory:') }), ...options });

  it('works without its plugins, also in transactions', async () => {
    const db = onSqlite({ plugins: [new CamelCasePlugin()] });
    const engine = engineOf(db);
    await run(engine, sql`create table "camelCase" ("someName" text, other_name text)`);
    await run(engine, sql`insert into "camelCase" ("someName", other_name) values (${'a'}, ${'b'})`);
    const read = sql`select "someName", other_name from "camelCase"`;
    expect(await rowsOf(engine, read)).toEqual([{ someName: 'a', other_name: 'b' }]);
    const results = await batch(engine, [query(engine, read)]);
    expect(results[0]?.rows.map((row) => ({ ...row }))).toEqual([{ someName: 'a', other_name: 'b' }]);
    await db.destroy();
  });

  /** The parts of dialects, with renamed classes as in a bundle. */
  const parts: Record<
    'sqlite' | 'postgres' | 'mysql' | 'mssql',
    () => { adapter: DialectAdapter; compiler: QueryCompiler }
  > = {
    sqlite: () => ({
      adapter: new (class extends SqliteAdapter {})(),
      compiler: new (class extends SqliteQueryCompiler {})(),
    }),
    postgres: () => ({
      adapter: new (class extends PostgresAdapter {})(),
      compiler: new (class extends PostgresQueryCompiler {})(),
    }),
    mysql: () => ({
      adapter: new (class extends MysqlAdapter {})(),
      compiler: new (class extends MysqlQueryCompiler {})(),
    }),
    mssql: () => ({
      adapter: new (class extends MssqlAdapter {})(),
      compiler: new (class extends MssqlQueryCompiler {})(),
    }),
  };

  function nameless(name: keyof typeof parts): Kysely<unknown> {
    const { adapter, compiler } = parts[name]();
    return new Kysely<unknown>({
      dialect: {
        createAdapter: () => adapter,
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => compiler,
      },
    });
  }

  it.each(['sqlite', 'postgres', 'mysql'] as const)('has the dialect that it writes: %s', (name) => {
    expect(engineOf(nameless(name)).dialect.name).toBe(name);
  });

  it('of an unknown dialect is refused, with the remedy', () => {
    expect(() => engineOf(nameless('mssql'))).toThrow(TypeError);
    expect(() => engineOf(nameless('mssql'))).toThrow(
      'Set the option `dialect` to the one that it is compatible with: sqlite, postgres, mysql',
    );
    expect(engineOf(nameless('mssql'), { dialect: 'postgres' }).dialect.name).toBe('postgres');
  });

  it('that is a transaction is refused', async () => {
    const db = onSqlite();
    await db.transaction().execute(async (transaction) => {
      expect(() => engineOf(transaction)).toThrow('Pass the `Kysely` that began it');
    });
    const controlled = await db.startTransaction().execute();
    expect(() => engineOf(controlled)).toThrow(TypeError);
    await controlled.rollback().execute();
    await db.destroy();
  });

  it("shares its connection with the application's own queries", async () => {
    const db = onSqlite();
    const engine = engineOf(db);
    await makeThings(engine);
    const theirs = db.transaction().execute(async (transaction) => {
      await sql`insert into things (id, name) values (1, 'a')`.execute(transaction);
      await new Promise((resolve) => setTimeout(resolve, 10));
      throw new Error('rolled back');
    });
    const ours = batch(engine, [insert(engine, 2, 'b')]);
    await expect(theirs).rejects.toThrow('rolled back');
    await ours;
    expect(await ids(engine)).toEqual([2]);
    await db.destroy();
  });
});

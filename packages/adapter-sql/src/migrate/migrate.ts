import type { DuplicateKeys, UserFieldDefinitions } from '@latchkey/core/adapters';
import { type Database, type EngineOptions, engineOf } from '../database.ts';
import type { DialectName, Engine, Result, Step } from '../dialect.ts';
import { dialectNamed } from '../dialects/index.ts';
import type { SqlSchema } from '../schema/options.ts';
import type { PresetName } from '../schema/presets.ts';
import { eachTable, fitted, type Shape, shapeOf, type TableShape } from '../schema/shape.ts';
import { writerOf } from '../statement.ts';
import { type Change, type IndexChange, type Plan, planOf } from './plan.ts';
import { type Present, presentIn } from './present.ts';

/** Options of {@link migrate}. */
export interface MigrateOptions extends EngineOptions {
  /** The tables to create. A string is short for `{ preset }`. Default: the reference schema. */
  schema?: PresetName | SqlSchema | undefined;
  /** Further columns of the users. They are added to your own tables, and not to existing tables of a preset. */
  userFields?: UserFieldDefinitions | undefined;
}

/** The result of a migration. */
export interface MigrationReport {
  /** The additions in words: `table auth_users`, `unique index on Session (sessionToken)`. */
  readonly added: readonly string[];
  /**
   * Unique indexes that were not added, because several rows have the same key. Correct the rows, and migrate again.
   */
  readonly duplicates: readonly Duplicates[];
}

/** Keys that must be unique, and that several rows have. */
export interface Duplicates extends DuplicateKeys {}

/** A migrated database: its shape, and the report. */
export interface Migrated extends MigrationReport {
  readonly shape: Shape;
}

/** The additions that a migration may make. */
export type Extent = 'all' | 'unique' | 'nothing';

/** Number of attempts if other processes migrate at the same time. */
const ATTEMPTS = 5;

/**
 * Migrates a database to a schema: creates missing tables, columns and indexes, and changes nothing else. A database
 * that is complete is only read. Several processes may migrate at the same time.
 *
 * If several rows have the same key, the unique index is left out, and the report names it.
 *
 * ```ts
 * const { added, duplicates } = await migrate(pool, { schema: 'prisma-adapter' });
 * ```
 *
 * @throws {TypeError} if the adapter does not support `db`, or with all problems of `schema` and `userFields`.
 */
export async function migrate(db: Database, options: MigrateOptions = {}): Promise<MigrationReport> {
  const engine = engineOf(db, options);
  const shape = shapeOf(options.schema, engine.dialect, options.userFields);
  const { added, duplicates } = await migrateEngine(engine, shape, 'all');
  return { added, duplicates };
}

/**
 * Returns the statements that create the whole schema, for applications that run their own migrations.
 *
 * ```ts
 * writeFileSync('auth.sql', schemaSql('postgres'));
 * ```
 *
 * @throws {TypeError} with all problems of `schema` and `userFields`, or if no dialect has this name.
 */
export function schemaSql(
  dialect: DialectName,
  schema?: PresetName | SqlSchema,
  userFields?: UserFieldDefinitions,
): string {
  const chosen = dialectNamed(dialect);
  const { tables, indexes } = planOf(writerOf(chosen), chosen, shapeOf(schema, chosen, userFields), () => undefined);
  return [...tables, ...indexes].map(({ query }) => `${query.sql};\n`).join('');
}

/** Migrates the database of an engine as far as `extent` allows, and returns the shape that fits it. */
export async function migrateEngine(engine: Engine, shape: Shape, extent: Extent): Promise<Migrated> {
  if (extent === 'nothing' && isKnown(shape)) return { shape, added: [], duplicates: [] };
  const added = new Set<string>();
  for (let attempt = 1; ; attempt++) {
    const present = await presentIn(engine, shape);
    const fit = fittedTo(engine, shape, present);
    if (shape.foreign && extent !== 'all') checkTables(engine, fit, present);
    if (shape.foreign ? extent !== 'all' : extent === 'nothing') checkUserColumns(shape, present);
    if (extent === 'nothing') return { shape: fit, added: [], duplicates: [] };
    const wanted = extent === 'all' ? withMissingTables(shape, fit) : fit;
    const { missing, duplicates } = await missingFrom(engine, wanted, present, extent);
    if (missing.length === 0) return { shape: wanted, added: [...added], duplicates };
    checkProgress(missing, added);
    try {
      await locked(
        engine,
        missing.map(({ query }) => query),
      );
      for (const { adds } of missing) added.add(adds);
    } catch (error) {
      // Another process may have added a part of it. The rest is tried again.
      if (attempt >= ATTEMPTS) throw error;
      if (!(await isProgress(engine, shape, present))) throw error;
    }
  }
}

/** The additions that a database needs, and those that it refuses. */
interface Missing {
  readonly missing: readonly Change[];
  readonly duplicates: readonly Duplicates[];
}

/** Returns the additions that `migrate` would make. It only reads. */
export async function missingIn(engine: Engine, shape: Shape): Promise<Missing> {
  const present = await presentIn(engine, shape);
  return missingFrom(engine, withMissingTables(shape, fittedTo(engine, shape, present)), present, 'all');
}

async function missingFrom(engine: Engine, wanted: Shape, present: PresentTables, extent: Extent): Promise<Missing> {
  // By name, because the fitted shape has other objects.
  const byName = new Map([...present].map(([table, what]) => [table.name, what]));
  const plan = limited(
    planOf(writerOf(engine.dialect), engine.dialect, wanted, (table) => byName.get(table.name)),
    extent,
  );
  const { possible, duplicates } = await separated(engine, plan);
  return { missing: [...plan.tables, ...possible], duplicates };
}

function fittedTo(engine: Engine, shape: Shape, present: PresentTables): Shape {
  return fitted(shape, engine.dialect, (table) => present.get(table)?.columns ?? new Map());
}

type PresentTables = ReadonlyMap<TableShape, Present>;

/** Tells whether the database's catalog cannot change the shape. */
function isKnown({ foreign, stamps, userColumns = [] }: Shape): boolean {
  return !foreign && stamps.created === null && stamps.updated === null && userColumns.length === 0;
}

/** Core refuses to start a sign-in with an error of this code. */
class MissingTable extends Error {
  readonly code = 'ERR_MISSING_TABLE';
}

function lacks({ dialect }: Engine, tables: readonly string[]): string {
  return `${dialect.title} has no table ${tables.map((name) => `"${name}"`).join(', ')}`;
}

/** @throws {MissingTable} if the database lacks one of these tables. */
export async function requireTables(engine: Engine, tables: readonly TableShape[]): Promise<void> {
  const missing: string[] = [];
  for (const { name } of tables) {
    const { rows } = await engine.run(engine.dialect.columnsOf(name));
    if (rows.length === 0) missing.push(name);
  }
  if (missing.length === 0) return;
  throw new MissingTable(
    `${lacks(engine, missing)} (SqlAdapter, \`migrate: false\`). Run \`npx @latchkey/cli migrate\`, print the statements with \`npx @latchkey/cli migrate --sql\`, or leave out \`migrate: false\``,
  );
}

/** @throws {MissingTable} if the database lacks a required table of a preset, which only `migrate` creates. */
function checkTables(engine: Engine, { tables }: Shape, present: PresentTables): void {
  const there = new Set([...present].filter(([, { columns }]) => columns.size > 0).map(([{ name }]) => name));
  const missing = Object.values(tables).flatMap((table) => (table && !there.has(table.name) ? [table.name] : []));
  if (missing.length === 0) return;
  // The message suggests other names first: if the tables have other names, new ones would be without users.
  throw new MissingTable(
    `${lacks(engine, missing)}. If the tables have other names or are in another schema, set \`schema.tables\`. If they do not exist yet, run \`npx @latchkey/cli migrate\`, or call \`migrate(db, { schema })\``,
  );
}

/** @throws {Error} if the table of users lacks a column of `userFields`, and this migration does not add it. */
function checkUserColumns({ tables, userColumns = [] }: Shape, present: PresentTables): void {
  const columns = tables.users && present.get(tables.users)?.columns;
  if (!columns || columns.size === 0) return;
  const missing = userColumns.filter(({ name }) => !columns.has(name));
  if (missing.length === 0) return;
  const problems = missing.map(
    ({ name, field }) => `table ${tables.users?.name} has no column ${name}. Add it, or remove userFields.${field}`,
  );
  throw new Error(problems.join('; '));
}

/** `if not exists` compares names only, so an addition that is still missing afterwards will never succeed. */
function checkProgress(missing: readonly Change[], added: ReadonlySet<string>): void {
  const futile = missing.find(({ adds }) => added.has(adds));
  if (!futile) return;
  throw new Error(
    `the ${futile.adds} cannot be added, because its name is in use. Rename the other one. ${futile.query.sql}`,
  );
}

/** Runs the steps of a migration under a lock, so that only one process at a time migrates. */
export async function locked(engine: Engine, queries: readonly Step[]): Promise<void> {
  const { take, release } = engine.dialect.migrationLock;
  await engine.batch([...take, isTaken, ...queries, ...release]);
}

/** If the wait for a lock times out, MySQL returns a row instead of an error. */
function isTaken(results: readonly Result[]): null {
  const locked = results[0]?.rows[0]?.['locked'];
  if (locked === undefined || Number(locked) === 1) return null;
  throw new Error('another process has been migrating this database for a minute. Try again when it has finished');
}

/** Tells whether the database has changed since `before`. */
async function isProgress(engine: Engine, shape: Shape, before: PresentTables): Promise<boolean> {
  const print = (present: PresentTables) =>
    JSON.stringify([...present].map(([table, { columns, indexes }]) => [table.name, [...columns], indexes]));
  return print(await presentIn(engine, shape)) !== print(before);
}

/** A full migration also creates the optional tables. */
function withMissingTables(shape: Shape, fit: Shape): Shape {
  return { ...fit, tables: eachTable((id) => fit.tables[id] ?? shape.tables[id]) };
}

function limited(plan: Plan, extent: Extent): Plan {
  return extent === 'unique' ? { tables: [], indexes: plan.indexes.filter((one) => one.duplicates !== null) } : plan;
}

/** Separates the indexes that can be added from those whose keys several rows have. */
async function separated(
  engine: Engine,
  { indexes }: Plan,
): Promise<{ possible: IndexChange[]; duplicates: Duplicates[] }> {
  const possible: IndexChange[] = [];
  const duplicates: Duplicates[] = [];
  for (const index of indexes) {
    const [row] = index.duplicates ? (await engine.run(index.duplicates)).rows : [];
    const groups = Number(row?.['groups'] ?? 0);
    if (groups === 0) possible.push(index);
    else duplicates.push({ table: index.table.name, columns: index.columns, groups });
  }
  return { possible, duplicates };
}

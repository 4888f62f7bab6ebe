import type { Engine, Result, Step } from '../dialect.ts';
import { fitted, type Shape, type TableShape } from '../schema/shape.ts';
import { writerOf } from '../statement.ts';
import { type Change, type IndexChange, type Plan, planOf } from './plan.ts';
import { presentIn } from './present.ts';

/** What a migration did. */
export interface MigrationReport {
  /** What was added, in words: `table auth_users`, `unique index on Session (sessionToken)`. */
  readonly added: readonly string[];
  /** Unique indexes that could not be added, because rows share what must be unique. Mend these, and migrate again. */
  readonly duplicates: readonly Duplicates[];
}

/** Keys that must be unique and are not. */
export interface Duplicates {
  readonly table: string;
  readonly columns: readonly string[];
  /** How many keys are shared by several rows. */
  readonly groups: number;
}

/** A migrated database: the shape that fits it, and what was done. */
export interface Migrated extends MigrationReport {
  readonly shape: Shape;
}

/** What to add: everything, unique indexes only, or nothing. */
export type Extent = 'all' | 'unique' | 'nothing';

/** How often to look again when others migrate at the same time. */
const ATTEMPTS = 5;

/**
 * Brings the database to the shape: adds what is missing of tables, columns and indexes, and touches nothing else. A database
 * that lacks nothing is only read. Several may do this at once.
 */
export async function migrateEngine(engine: Engine, shape: Shape, extent: Extent): Promise<Migrated> {
  // Nothing to add, and nothing to find out.
  if (extent === 'nothing' && !shape.foreign && !hasStamps(shape)) return { shape, added: [], duplicates: [] };
  const write = writerOf(engine.dialect);
  const added = new Set<string>();
  for (let attempt = 1; ; attempt++) {
    const present = await presentIn(engine, shape);
    const fit = fitted(shape, (table) => present.get(table)?.columns ?? new Set());
    if (shape.foreign && extent !== 'all') checkTables(fit, present);
    if (extent === 'nothing') return { shape: fit, added: [], duplicates: [] };
    const wanted = extent === 'all' ? withMissingTables(shape, fit) : fit;
    // Tables are told apart by name, because fitting makes new objects of them.
    const byName = new Map([...present].map(([table, what]) => [table.name, what]));
    const plan = limited(
      planOf(write, engine.dialect, wanted, (table) => byName.get(table.name)),
      extent,
    );
    const { possible, duplicates } = await apart(engine, plan);
    const missing = [...plan.tables, ...possible];
    if (missing.length === 0) return { shape: wanted, added: [...added], duplicates };
    checkProgress(missing, added);
    try {
      await locked(
        engine,
        missing.map(({ query }) => query),
      );
      for (const { adds } of missing) added.add(adds);
    } catch (error) {
      // Another process may have been faster; what it left out is tried again.
      if (attempt >= ATTEMPTS) throw error;
      if (!(await isProgress(engine, shape, present))) throw error;
    }
  }
}

/** @throws {Error} when a table is missing that the adapter cannot do without, and that is not its to make. */
function checkTables({ tables }: Shape, present: Awaited<ReturnType<typeof presentIn>>): void {
  const there = new Set([...present].filter(([, { columns }]) => columns.size > 0).map(([{ name }]) => name));
  const missing = Object.values(tables).flatMap((table) => (table && !there.has(table.name) ? [table.name] : []));
  if (missing.length === 0) return;
  // First the names: whoever has the tables under others, and makes them anew, has no users there.
  throw new Error(
    `the database lacks ${missing.join(', ')}. If they are called otherwise, or lie in another schema, say so in \`schema.tables\`; if there are none yet, make them with \`migrate(db, { schema })\``,
  );
}

/** `if not exists` looks at the name only. */
function checkProgress(missing: readonly Change[], added: ReadonlySet<string>): void {
  const futile = missing.find(({ adds }) => added.has(adds));
  if (!futile) return;
  throw new Error(`the ${futile.adds} cannot be added: there is something else of the same name. ${futile.query.sql}`);
}

/** Runs the steps of a migration, and lets only one process at a time do that. */
export async function locked(engine: Engine, queries: readonly Step[]): Promise<void> {
  const { take, release } = engine.dialect.migrationLock;
  await engine.batch([...take, isTaken, ...queries, ...release]);
}

/** MySQL does not fail when it has waited for a lock in vain, but says so in a row. */
function isTaken(results: readonly Result[]): null {
  const locked = results[0]?.rows[0]?.['locked'];
  if (locked === undefined || Number(locked) === 1) return null;
  throw new Error('another process has been migrating this database for a minute; try again when it is done');
}

/** Has the database changed since it was looked at? */
async function isProgress(
  engine: Engine,
  shape: Shape,
  before: Awaited<ReturnType<typeof presentIn>>,
): Promise<boolean> {
  const print = (present: typeof before) =>
    JSON.stringify([...present].map(([table, { columns, indexes }]) => [table.name, [...columns], indexes]));
  return print(await presentIn(engine, shape)) !== print(before);
}

function hasStamps({ stamps }: Shape): boolean {
  return stamps.created !== null || stamps.updated !== null;
}

/** Tables that may be missing are made by those who ask for everything. */
function withMissingTables(shape: Shape, fit: Shape): Shape {
  const tables = Object.fromEntries(
    Object.entries(shape.tables).map(([id, table]) => [id, fit.tables[id as keyof Shape['tables']] ?? table]),
  ) as unknown as Record<keyof Shape['tables'], TableShape | null>;
  return { ...fit, tables };
}

function limited(plan: Plan, extent: Extent): Plan {
  return extent === 'unique' ? { tables: [], indexes: plan.indexes.filter((one) => one.duplicates !== null) } : plan;
}

/** The indexes that can be added, and those that the rows do not allow. */
async function apart(
  engine: Engine,
  { indexes }: Plan,
): Promise<{ possible: IndexChange[]; duplicates: Duplicates[] }> {
  const possible: IndexChange[] = [];
  const duplicates: Duplicates[] = [];
  for (const index of indexes) {
    const [row] = index.duplicates ? (await engine.run(index.duplicates)).rows : [];
    const groups = Number(row?.['groups'] ?? 0);
    if (groups === 0) possible.push(index);
    else duplicates.push({ table: index.table, columns: index.columns, groups });
  }
  return { possible, duplicates };
}

import { type DialectName, dialects } from '../dialects/index.ts';
import { type Database, type EngineOptions, engineOf } from '../engine-of.ts';
import type { SqlSchema } from '../schema/options.ts';
import type { PresetName } from '../schema/presets.ts';
import { shapeOf } from '../schema/shape.ts';
import { writerOf } from '../statement.ts';
import { type MigrationReport, migrateEngine } from './migrate.ts';
import { planOf } from './plan.ts';

/** Options of {@link migrate}. */
export interface MigrateOptions extends EngineOptions {
  /** The schema to bring the database to. Default: the reference schema. */
  schema?: PresetName | SqlSchema | undefined;
}

/**
 * Brings the database to the schema: creates what is missing of tables, columns and indexes, and touches nothing else. May
 * run again at any time, also in several processes at once. A database that lacks nothing is only read.
 *
 * A unique index is added only where no two rows share the key; where they do, the report says so and nothing is lost.
 *
 * @throws {TypeError} when the schema has problems, or `db` is no database that the adapter knows.
 */
export async function migrate(db: Database, options: MigrateOptions = {}): Promise<MigrationReport> {
  const engine = engineOf(db, options);
  const { added, duplicates } = await migrateEngine(engine, shapeOf(schemaOf(options.schema), engine.dialect), 'all');
  return { added, duplicates };
}

/** The statements that create the whole schema, for those who run their own migrations. */
export function schemaSql(dialect: DialectName, schema?: PresetName | SqlSchema): string {
  const chosen = dialects[dialect];
  if (!chosen) throw new TypeError(`no dialect \`${dialect}\`. There are: ${Object.keys(dialects).join(', ')}`);
  const { tables, indexes } = planOf(writerOf(chosen), chosen, shapeOf(schemaOf(schema), chosen), () => undefined);
  return [...tables, ...indexes].map(({ query }) => `${query.sql};\n`).join('');
}

/** The name of a preset is short for a schema of that preset. */
export function schemaOf(schema: PresetName | SqlSchema | undefined): SqlSchema {
  return typeof schema === 'string' ? { preset: schema } : (schema ?? {});
}

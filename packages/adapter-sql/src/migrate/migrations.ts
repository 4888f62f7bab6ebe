import type { AdapterMigrations, MigratedDatabase, MigrationPlan } from '@latchkey/core/adapters';
import { checkConnection } from '../connection.ts';
import type { Engine } from '../dialect.ts';
import type { Shape } from '../schema/shape.ts';
import { type Extent, type MigrationReport, migrateEngine, missingIn } from './migrate.ts';
import type { Change } from './plan.ts';

/** The migrations of a SQL database. */
export interface SqlMigrations extends AdapterMigrations {
  plan(): Promise<MigrationPlan>;
  apply(): Promise<MigrationReport>;
}

/**
 * Returns the migrations of an adapter.
 *
 * @param automatic The additions that the adapter makes by itself.
 */
export function migrationsOf(engine: Engine, shape: Shape, automatic: Extent): SqlMigrations {
  const isAutomatic = ({ kind }: Change): boolean =>
    automatic === 'all' || (automatic === 'unique' && kind === 'unique index');
  return {
    async plan() {
      const { missing, duplicates } = await missingIn(engine, shape);
      const steps = missing.map((change) => ({
        kind: change.kind,
        table: change.table.name,
        rows: change.table.id,
        adds: change.adds,
        sql: change.query.sql,
        automatic: isAutomatic(change),
      }));
      return { database: await identityOf(engine), steps, duplicates };
    },
    async apply() {
      await checkConnection(engine);
      const { added, duplicates } = await migrateEngine(engine, shape, 'all');
      return { added, duplicates };
    },
  };
}

async function identityOf({ dialect: { title, identity }, run }: Engine): Promise<MigratedDatabase> {
  const [row] = (await run(identity)).rows;
  const time = row?.['time'] ?? null;
  return {
    engine: title,
    host: textOf(row?.['host']),
    name: textOf(row?.['name']),
    time: time === null ? null : new Date(Number(time)),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

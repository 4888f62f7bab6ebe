import type {
  AdapterMigrations,
  MigratedDatabase,
  MigrationPlan,
  MigrationStep,
  MigrationUse,
} from '@latchkey/core/adapters';
import { checkConnection } from '../connection.ts';
import type { Engine } from '../dialect.ts';
import { createTables, missingOf } from '../own-tables.ts';
import type { Shape } from '../schema/shape.ts';
import { vaultTable } from '../token-vault.ts';
import { type Extent, type MigrationReport, migrateEngine, missingIn } from './migrate.ts';
import type { Change } from './plan.ts';

/** The migrations of a SQL database. */
export interface SqlMigrations extends AdapterMigrations {
  plan(use?: MigrationUse): Promise<MigrationPlan>;
  apply(use?: MigrationUse): Promise<MigrationReport>;
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
    async plan({ tokens = false } = {}) {
      const { missing, duplicates } = await missingIn(engine, shape);
      const steps = missing.map((change) => ({
        kind: change.kind,
        table: change.table.name,
        rows: change.table.id,
        adds: change.adds,
        sql: change.query.sql,
        automatic: isAutomatic(change),
      }));
      const ofVault = tokens ? await vaultSteps(engine, automatic !== 'nothing') : [];
      return { database: await identityOf(engine), steps: [...steps, ...ofVault], duplicates };
    },
    async apply({ tokens = false } = {}) {
      await checkConnection(engine);
      const { added, duplicates } = await migrateEngine(engine, shape, 'all');
      const ofVault = tokens ? await createTables(engine, [vaultTable()]) : [];
      return { added: [...added, ...ofVault], duplicates };
    },
  };
}

/** The vault creates its table at its first use, also beside the tables of a preset. */
async function vaultSteps(engine: Engine, isAutomatic: boolean): Promise<MigrationStep[]> {
  const table = vaultTable();
  return (await missingOf(engine, table)).map(({ kind, adds, query }) => ({
    kind,
    table: table.name,
    rows: 'tokens',
    adds,
    sql: query.sql,
    automatic: isAutomatic,
  }));
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

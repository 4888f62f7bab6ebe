import type {
  Adapter,
  AdapterMigrations,
  DuplicateKeys,
  MigrationPlan,
  MigrationStep,
  MigrationUse,
} from '@latchkey/core/adapters';
import { neededSteps, withinTime } from '@latchkey/core/inspection';
import type { Found } from '../load/configurations.ts';
import type { Planned } from '../load/protocol.ts';
import { messageOf } from '../terminal.ts';
import type { Report } from './finding.ts';

/** Milliseconds that a store may take. */
const PATIENCE = 10_000;
/** Seconds by which the clocks of database and application may differ. */
const SKEW = 30;

/** Checks the store. It only reads. */
export async function checkStore({ inspection }: Found, report: Report): Promise<void> {
  const { config } = inspection;
  if (!config.adapter) return;
  let plan: MigrationPlan | undefined;
  try {
    const adapter = await withinTime(adapterOf(config.adapter), PATIENCE);
    plan = await withinTime(planOf(adapter, useOf(inspection)), PATIENCE);
    report.check('store-connection');
  } catch (error) {
    report.add('store-connection', {
      message: `the store does not answer: ${dotted(messageOf(error))}`,
      remedy: 'Check that the database runs, and its address, name, user and password.',
    });
    return;
  }
  if (!plan) return;
  const { engine } = plan.database;
  const needed = neededSteps(plan, inspection.storeUse);
  for (const kind of ['table', 'column', 'unique index', 'index'] as const) {
    const missing = needed.filter((step) => step.kind === kind);
    const id = kind === 'table' ? 'schema-missing' : kind === 'column' ? 'schema-column' : 'schema-index';
    report.check(id, missing.length > 0 && missingFinding(engine, kind, missing));
  }
  checkDuplicates(plan.duplicates, report);
  checkClock(plan, report);
}

function missingFinding(engine: string, kind: MigrationStep['kind'], steps: readonly MigrationStep[]) {
  const names = steps.map(({ adds }) => adds.replace(/^(table|column) /, '')).join(', ');
  return {
    level: kind === 'index' ? ('warning' as const) : ('error' as const),
    message: `${engine} has no ${kind === 'table' || kind === 'column' ? `${kind} ` : ''}${names}.`,
    remedy: 'Run `npx @latchkey/cli migrate`.',
    facts: { engine, missing: steps.length },
  };
}

function checkDuplicates(duplicates: readonly DuplicateKeys[], report: Report): void {
  report.check('duplicate-keys');
  for (const { table, columns, groups } of duplicates) {
    report.add('duplicate-keys', {
      message: `${table} (${columns.join(', ')}): ${groups} keys have several rows, so that no unique index can be added.`,
      remedy: 'Merge or delete these rows, and run `npx @latchkey/cli migrate`.',
      facts: { table, columns: columns.join(','), groups },
    });
  }
}

function checkClock({ database }: MigrationPlan, report: Report): void {
  const seconds = database.time ? Math.round((database.time.getTime() - Date.now()) / 1000) : 0;
  report.check(
    'store-clock',
    Math.abs(seconds) > SKEW && {
      level: 'warning',
      message: `the clock of ${database.engine} is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} this clock.`,
      remedy: 'Synchronize both clocks (NTP).',
      facts: { seconds },
    },
  );
}

/** Lists what the store lacks, for `latchkey migrate`. */
export async function planMigrations(found: Found): Promise<Planned> {
  const migrations = await migrationsOf(found);
  const { database, steps, duplicates } = await withinTime(migrations.plan(useOf(found.inspection)), PATIENCE);
  return {
    database,
    steps: steps.map(({ adds, sql }) => ({ adds, sql })),
    duplicates: duplicates.map(
      ({ table, columns, groups }) => `${table} (${columns.join(', ')}): ${groups} keys have several rows`,
    ),
  };
}

/** Adds what the store lacks, and returns the additions in words. */
export async function applyMigrations(found: Found): Promise<readonly string[]> {
  return (await (await migrationsOf(found)).apply(useOf(found.inspection))).added;
}

async function migrationsOf({ inspection }: Found): Promise<AdapterMigrations> {
  if (!inspection.config.adapter) throw new Error('the configuration has no `adapter`, so there is nothing to migrate');
  const { migrations } = await withinTime(adapterOf(inspection.config.adapter), PATIENCE);
  if (migrations) return migrations;
  throw new Error(
    'the adapter has no `migrations`. `SqlAdapter` has them; for another adapter, use the migrations of its own library',
  );
}

function useOf({ config }: Found['inspection']): MigrationUse {
  return { tokens: config.tokens?.store === true };
}

type Configured = NonNullable<Found['inspection']['config']['adapter']>;
type Stored = Pick<Adapter, 'migrations' | 'ready' | 'getUser'>;

async function adapterOf(adapter: Configured): Promise<Stored> {
  return (typeof adapter === 'function' ? await adapter() : adapter) as Stored;
}

/** An adapter without migrations is asked for a user that does not exist. */
async function planOf(adapter: Stored, use: MigrationUse): Promise<MigrationPlan | undefined> {
  if (adapter.migrations) return adapter.migrations.plan(use);
  await adapter.getUser?.('00000000-0000-0000-0000-000000000000');
  return undefined;
}

function dotted(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

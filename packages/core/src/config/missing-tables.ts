import { AdapterError, errorOf } from '../errors.ts';
import { isRecord } from '../plain-object.ts';
import { neededSteps } from '../store/needed-steps.ts';
import type { AdapterMigrations, MigrationPlan } from '../types/adapter.ts';
import { withinTime } from '../wire/deadline.ts';
import { storeUse } from './provider-options.ts';
import type { Settings } from './settings.ts';

/** Milliseconds that the store may take to list what it lacks. */
const PLAN_TIME = 2000;

/** Returns an error that names the tables that the store lacks. An adapter that a function makes is not made. */
export async function missingTables(settings: Settings): Promise<AdapterError | undefined> {
  const { adapter, tokens } = settings.config;
  const migrations = isRecord(adapter) ? (adapter as { migrations?: AdapterMigrations }).migrations : undefined;
  if (!migrations) return undefined;
  try {
    const plan = await withinTime(migrations.plan({ tokens: tokens?.store === true }), PLAN_TIME);
    const tables = neededSteps(plan, storeUse(settings))
      .filter(({ kind }) => kind === 'table')
      .map(({ table }) => table);
    return tables.length > 0 ? lacks(plan, tables) : undefined;
  } catch (error) {
    const words = 'the store could not be read at the start. Check that it runs, and its address';
    return new AdapterError(words, { err: errorOf(error), method: 'migrations.plan' });
  }
}

function lacks({ database }: MigrationPlan, tables: readonly string[]): AdapterError {
  const names = tables.map((table) => `"${table}"`).join(', ');
  return new AdapterError(
    `${database.engine} has no table ${names}. Run \`npx @latchkey/cli migrate\`, or print the statements with \`npx @latchkey/cli migrate --sql\``,
  );
}

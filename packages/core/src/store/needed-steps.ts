import type { MigrationPlan, MigrationStep, StoreUse } from '../types/adapter.ts';

/**
 * Returns the additions without which an application does not work, or is slow. Additions that the adapter makes by
 * itself are left out, and so are rows that the application does not store. A missing table stands for its columns.
 */
export function neededSteps({ steps }: MigrationPlan, use: StoreUse): readonly MigrationStep[] {
  const open = steps.filter(({ automatic, rows }) => !automatic && isUsed(rows, use));
  const missingTables = new Set(open.filter(({ kind }) => kind === 'table').map(({ table }) => table));
  return open.filter(({ kind, table }) => kind === 'table' || !missingTables.has(table));
}

/** Tables of the reference schema that link accounts and sessions to users. The adapter works without them. */
const OPTIONAL: ReadonlySet<string> = new Set(['userAccounts', 'userSessions']);

function isUsed(rows: string, { sessions, passkeys }: StoreUse): boolean {
  if (rows === 'sessions') return sessions;
  return rows === 'authenticators' ? passkeys : !OPTIONAL.has(rows);
}

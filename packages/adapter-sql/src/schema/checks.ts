import type { TableId } from './fields.ts';
import type { Stamps } from './presets.ts';
import type { TableShape } from './shape.ts';

/** Each check adds the problems that it finds to a list, so that a schema is told all of its problems at once. */
type Tables = Readonly<Record<TableId, TableShape | null>>;

/** Links refer to rows by id. */
export function checkLinks(tables: Tables, problems: string[]): void {
  if (tables.userAccounts && tables.accounts && !tables.accounts.columns['id'])
    problems.push('`schema.tables.userAccounts` needs accounts with an id: set it to null');
  if (tables.userSessions && tables.sessions && !tables.sessions.columns['id'])
    problems.push('`schema.tables.userSessions` needs sessions with an id: set it to null');
}

/** Rows of two kinds in one table would be taken for each other. */
export function checkDistinct(tables: Tables, problems: string[]): void {
  const names = Object.values(tables).flatMap((table) => table?.name ?? []);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) problems.push(`\`schema.tables\`: two tables are called \`${twice}\``);
}

/** A column is set once in a statement. */
export function checkStamps({ created, updated }: Stamps, tables: Tables, problems: string[]): void {
  const used = new Set(Object.values(tables).flatMap((table) => Object.values(table?.columns ?? {})));
  for (const column of [created, updated])
    if (column !== null && used.has(column))
      problems.push(`\`schema.stamps\`: the column \`${column}\` is that of a field`);
  if (created !== null && created === updated)
    problems.push('`schema.stamps`: `updated` is set when a row is inserted, too: leave `created` out');
}

/** A misspelt member would be passed over silently, and the tables be sought in the wrong place. */
export function checkMembers(where: string, given: unknown, known: readonly string[], problems: string[]): void {
  if (given === undefined) return;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    problems.push(`\`${where}\` must be an object with members of these names: ${known.join(', ')}`);
    return;
  }
  for (const member of Object.keys(given))
    if (!known.includes(member)) problems.push(`no \`${where}.${member}\`. There are: ${known.join(', ')}`);
}

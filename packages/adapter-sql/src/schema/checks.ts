import type { Dialect } from '../dialect.ts';
import { tableIds } from './fields.ts';
import type { Stamps } from './presets.ts';
import type { TableShape, TableShapes } from './shape.ts';

/** A link table refers to rows by their id. */
export function checkLinks(tables: TableShapes, problems: string[]): void {
  if (tables.userAccounts && tables.accounts && !tables.accounts.columns['id'])
    problems.push('`schema.tables.userAccounts` must be null, because accounts have no id');
  if (tables.userSessions && tables.sessions && !tables.sessions.columns['id'])
    problems.push('`schema.tables.userSessions` must be null, because sessions have no id');
}

/** Rows of two kinds in one table, or two fields in one column, would be mistaken for each other. */
export function checkNames(tables: TableShapes, { ignoresCase }: Dialect, problems: string[]): void {
  const names = Object.values(tables).flatMap((table) => table?.name ?? []);
  const table = repeated(names, ignoresCase.tables);
  if (table !== undefined) problems.push(`\`schema.tables\` must not name the table \`${table}\` twice`);
  for (const id of tableIds) {
    const column = repeated(columnNames(tables[id]), ignoresCase.columns);
    if (column !== undefined) problems.push(`\`schema.tables.${id}\` must not name the column \`${column}\` twice`);
  }
  const own = columnNames(tables.users);
  const further = (tables.users?.further ?? []).map(({ name }) => name);
  const twice = further.find((name, index) => isAmong([...own, ...further.slice(0, index)], name, ignoresCase.columns));
  if (twice !== undefined) problems.push(`\`userFields\` must not name the column \`${twice}\` of another field`);
}

/**
 * A statement sets a column only once. The stamp `created` may be the column of `createdAt`: the stamp writes it, and
 * the field reads it.
 */
export function checkStamps(
  { created, updated }: Stamps,
  tables: TableShapes,
  { ignoresCase }: Dialect,
  problems: string[],
): void {
  const used = [...new Set(Object.values(tables).flatMap(columnNames))];
  const unstamped = used.filter((name) => name !== created || !isOnlyCreatedAt(tables, name));
  for (const [column, names] of [
    [created, unstamped],
    [updated, used],
  ] as const)
    if (column !== null && isAmong(names, column, ignoresCase.columns))
      problems.push(`\`schema.stamps\` must not name \`${column}\`, which is the column of a field`);
  if (created !== null && updated !== null && isAmong([created], updated, ignoresCase.columns))
    problems.push('`schema.stamps.created` must differ from `updated`, which is also set when a row is inserted');
}

function isOnlyCreatedAt(tables: TableShapes, column: string): boolean {
  const columns = Object.values(tables).flatMap((table) => Object.entries(table?.columns ?? {}));
  return columns.every(([field, { name }]) => name !== column || field === 'createdAt');
}

/**
 * Reports unknown members: without this, a misspelled option would be ignored, and the adapter would use other tables.
 */
export function checkMembers(where: string, given: unknown, known: readonly string[], problems: string[]): void {
  if (given === undefined) return;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    problems.push(`\`${where}\` must be an object with members of these names: ${known.join(', ')}`);
    return;
  }
  for (const member of Object.keys(given))
    if (!known.includes(member))
      problems.push(`\`${where}.${member}\` is not an option. Use one of: ${known.join(', ')}`);
}

export function columnNames(table: TableShape | null): string[] {
  return Object.values(table?.columns ?? {}).map(({ name }) => name);
}

function repeated(names: readonly string[], ignoresCase: boolean): string | undefined {
  return names.find((name, index) => isAmong(names.slice(0, index), name, ignoresCase));
}

function isAmong(names: readonly string[], name: string, ignoresCase: boolean): boolean {
  return names.some((one) => (ignoresCase ? one.toLowerCase() === name.toLowerCase() : one === name));
}

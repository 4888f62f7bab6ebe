import type { UserFieldDefinitions, UserFieldKind } from '@latchkey/core/adapters';
import type { Dialect } from '../dialect.ts';
import { type ColumnKind, type DateFormat, fields } from './fields.ts';
import { isColumnName } from './names.ts';
import { isPrivate } from './private-names.ts';

/** A column of the users beyond the fields of core. */
export interface UserColumn {
  /** Member of the user object. */
  readonly field: string;
  /** Name of the column. */
  readonly name: string;
  readonly kind: ColumnKind;
  /** `false` for generated columns and for time stamps, which are only read. */
  readonly writable: boolean;
  /** Name in statements. A number, because the column's own name may be that of a session's field. */
  readonly alias: string;
}

/** A column as the database's catalog describes it. */
export interface PresentColumn {
  readonly type: string;
  /** Whether the database computes its value at each write. */
  readonly generated: boolean;
  /** Whether this connection may select it. */
  readonly readable: boolean;
}

/** Largest number of further columns. */
const MOST = 64;

const KINDS: Readonly<Record<UserFieldKind, ColumnKind>> = {
  text: 'text',
  number: 'float',
  boolean: 'boolean',
  date: 'date',
  json: 'json',
};

/** Reads the option `userFields`, and adds the mistakes that it finds to `problems`. */
export function namedColumns(given: UserFieldDefinitions | undefined, problems: string[]): UserColumn[] | undefined {
  if (given === undefined) return undefined;
  if (!isRecord(given)) {
    problems.push('`userFields` must be an object such as { role: "text" }');
    return [];
  }
  const columns: UserColumn[] = [];
  for (const [field, definition] of Object.entries(given)) {
    const option = `userFields.${field}`;
    const members = new Map<string, unknown>(
      isRecord(definition) ? Object.entries(definition) : [['type', definition]],
    );
    const type = members.get('type');
    const name = members.get('column') ?? field;
    const unknown = [...members.keys()].find((member) => member !== 'type' && member !== 'column');
    if (Object.hasOwn(fields.users, field)) problems.push(`\`${option}\` must not be a member that every user has`);
    else if (!isMember(field)) problems.push(`\`${option}\` must be named by letters, digits, \`_\` and \`$\``);
    else if (unknown !== undefined)
      problems.push(`\`${option}.${unknown}\` is not an option. Use \`type\` and \`column\``);
    else if (!isKind(type)) problems.push(`\`${option}\` must be one of ${Object.keys(KINDS).join(', ')}`);
    else if (!isColumnName(name))
      problems.push(`\`${option}.column\` must be a column's name: ${JSON.stringify(name)}`);
    else columns.push({ field, name, kind: KINDS[type], writable: true, alias: aliasOf(columns.length) });
  }
  if (columns.length > MOST) problems.push(`\`userFields\` must have at most ${MOST} members`);
  return columns;
}

/** Further columns of a table that the application has not listed. */
export interface DiscoveredColumns {
  /** Columns that hold plain values and that this connection may read. */
  readonly columns: readonly UserColumn[];
  /** Names of the columns that are left out, because their names say that they hold a secret. */
  readonly withheld: readonly string[];
}

/** Finds the further columns of a table in the catalog. `known` has the names of the fields' columns. */
export function discoveredColumns(
  present: ReadonlyMap<string, PresentColumn>,
  known: ReadonlySet<string>,
  dialect: Dialect,
): DiscoveredColumns {
  const columns: UserColumn[] = [];
  const withheld: string[] = [];
  for (const [name, { type, readable }] of present) {
    const kind = dialect.kindOf(type);
    if (kind === null || !readable || known.has(name) || Object.hasOwn(fields.users, name) || !isMember(name)) continue;
    if (isPrivate(name, kind)) withheld.push(name);
    else columns.push({ field: name, name, kind, writable: true, alias: aliasOf(columns.length) });
  }
  return { columns: columns.slice(0, MOST), withheld };
}

/**
 * Tells whether a column that the application has added to a table of a preset can hold the values of a field. Another
 * column of the same name is left alone.
 */
export function holds(
  { type, generated, readable }: PresentColumn,
  kind: ColumnKind,
  dates: DateFormat,
  dialect: Dialect,
): boolean {
  if (generated || !readable) return false;
  const found = dialect.kindOf(type);
  // SQLite has no type for dates.
  if (kind === 'date' && dialect.name === 'sqlite') return found !== null;
  return kind === 'date' && dates === 'milliseconds' ? found === 'digits' : found === kind;
}

function aliasOf(position: number): string {
  return `further_${position}`;
}

/** A member of this name would set the prototype of the user object. */
function isMember(name: string): boolean {
  return isColumnName(name) && name !== '__proto__';
}

function isKind(type: unknown): type is UserFieldKind {
  return typeof type === 'string' && Object.hasOwn(KINDS, type);
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

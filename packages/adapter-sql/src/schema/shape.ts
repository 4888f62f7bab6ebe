import type { UserFieldDefinitions } from '@latchkey/core/adapters';
import type { Dialect } from '../dialect.ts';
import { checkLinks, checkMembers, checkNames, checkStamps, columnNames } from './checks.ts';
import {
  added,
  type ColumnKind,
  type DateFormat,
  type FieldOf,
  fields,
  type IdType,
  type TableId,
  tableIds,
} from './fields.ts';
import { isColumnName, isTableName } from './names.ts';
import type { SqlIds, SqlSchema, SqlStamps, SqlTable } from './options.ts';
import {
  isPresetName,
  type Layout,
  type PresetName,
  presets,
  reference,
  type Stamps,
  type TableLayout,
} from './presets.ts';
import {
  type DiscoveredColumns,
  discoveredColumns,
  holds,
  namedColumns,
  type PresentColumn,
  type UserColumn,
} from './user-fields.ts';

/** A schema, resolved and checked: the column of each field in this database. */
export interface Shape {
  readonly ids: IdRule;
  readonly dates: DateFormat;
  /** Rows may hold dates in the other format as well. */
  readonly mixedDates: boolean;
  readonly tables: TableShapes;
  /** Columns that are set to the current time, in the tables that have them. */
  readonly stamps: Stamps;
  /** Another library made the tables. Without `migrate`, the adapter adds only unique indexes to them. */
  readonly foreign: boolean;
  /** The option `userFields`; `undefined` without it. */
  readonly userColumns: readonly UserColumn[] | undefined;
  /** Columns of the users that are neither read nor written, because their names say that they hold a secret. */
  readonly withheldColumns: readonly string[];
}

/** The tables of a schema; `null` for one that the schema leaves out. */
export type TableShapes = { readonly [T in TableId]: TableShape | null };

/** How the ids of rows are made. */
export interface IdRule {
  readonly type: IdType;
  readonly madeBy: 'latchkey' | 'database';
  readonly make: (() => string) | undefined;
}

/** A table: its name and its columns. */
export interface TableShape {
  readonly id: TableId;
  readonly name: string;
  /** Column by field. A field that the table does not have is absent. */
  readonly columns: Readonly<Record<string, Column>>;
  /** Columns beyond the fields of core; only users have some. */
  readonly further: readonly UserColumn[];
  /** Columns of {@link Shape.stamps} that this table has. */
  readonly stamps: TableStamps;
  /** Fields whose column the database may lack. */
  readonly mayLack: readonly string[];
  /** Of these, the fields whose column is used but never created. */
  readonly neverCreated: readonly string[];
  readonly optional: boolean;
  /** The maker of the ids of its rows. */
  readonly idsBy: 'latchkey' | 'database';
}

/** A column of a table. */
export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** Columns of a table that are set to the current time: when a row is inserted, and when it is changed. */
export interface TableStamps {
  readonly inserted: readonly string[];
  readonly updated: readonly string[];
}

/**
 * Resolves a schema.
 *
 * @throws {TypeError} with all problems of the schema, each with its remedy.
 */
export function shapeOf(
  given: PresetName | SqlSchema | undefined,
  dialect: Dialect,
  userFields?: UserFieldDefinitions,
): Shape {
  const schema: SqlSchema = typeof given === 'string' ? { preset: given } : (given ?? {});
  const problems: string[] = [];
  checkMembers('schema', schema, OPTIONS, problems);
  const layout = layoutOf(schema, dialect, problems);
  const ids = idsOf(schema.ids, layout, dialect, problems);
  const dates = schema.dates ?? layout.dates;
  if (dates !== 'native' && dates !== 'milliseconds')
    problems.push('`schema.dates` must be `native` or `milliseconds`');
  const stamps = stampsOf(schema.stamps, layout, problems);
  checkMembers('schema.tables', schema.tables, tableIds, problems);
  const userColumns = namedColumns(userFields, problems);
  const tables = eachTable((id) => {
    const rules = { layout: layout.tables[id], ids, isForeign: schema.preset !== undefined };
    const table = tableOf(id, rules, schema.tables?.[id], problems);
    return table && id === 'users' ? { ...table, further: userColumns ?? [] } : table;
  });
  checkLinks(tables, problems);
  checkNames(tables, dialect, problems);
  checkStamps(stamps, tables, dialect, problems);
  if (problems.length > 0) throw new TypeError(`SqlAdapter: ${problems.join('; ')}`);
  const { mixedDates = false } = layout;
  const foreign = schema.preset !== undefined;
  return { ids, dates, mixedDates, tables, stamps, foreign, userColumns, withheldColumns: [] };
}

const OPTIONS = ['preset', 'ids', 'dates', 'stamps', 'tables'] satisfies (keyof SqlSchema)[];
const ID_OPTIONS = ['type', 'madeBy', 'make'] satisfies (keyof SqlIds)[];
const STAMP_OPTIONS = ['created', 'updated'] satisfies (keyof SqlStamps)[];
const TABLE_OPTIONS = ['name', 'columns'] satisfies (keyof SqlTable<string>)[];

/** Makes an object with a member for each table. */
export function eachTable<Value>(make: (id: TableId) => Value): Record<TableId, Value> {
  return {
    users: make('users'),
    accounts: make('accounts'),
    sessions: make('sessions'),
    verificationTokens: make('verificationTokens'),
    authenticators: make('authenticators'),
    userAccounts: make('userAccounts'),
    userSessions: make('userSessions'),
  };
}

/** The columns that a database has of a table, by name. */
export type PresentColumns = ReadonlyMap<string, PresentColumn>;

/**
 * Fits a shape to a database: leaves out the optional columns and tables that it lacks, and adds its further columns.
 */
export function fitted(shape: Shape, dialect: Dialect, columnsOf: (table: TableShape) => PresentColumns): Shape {
  const { users } = shape.tables;
  const discovered = users ? furtherColumns(shape, users, dialect, columnsOf(users)) : { columns: [], withheld: [] };
  const tables = eachTable((id) => {
    const table = shape.tables[id];
    if (!table) return null;
    const present = columnsOf(table);
    if (present.size === 0) return table.optional ? null : table;
    const isUsable = (field: string, { name, kind }: Column): boolean => {
      const found = present.get(name);
      if (!found || !table.neverCreated.includes(field)) return found !== undefined || !table.mayLack.includes(field);
      return holds(found, kind, shape.dates, dialect);
    };
    const columns = Object.entries(table.columns).filter(([field, column]) => isUsable(field, column));
    const further = id === 'users' ? discovered.columns : [];
    const stamps = presentStamps(shape.stamps, present);
    return { ...table, columns: Object.fromEntries(columns), further, stamps };
  });
  return { ...shape, tables, withheldColumns: discovered.withheld };
}

function furtherColumns(
  { userColumns, foreign, stamps }: Shape,
  table: TableShape,
  dialect: Dialect,
  present: PresentColumns,
): DiscoveredColumns {
  const { columns, withheld } =
    userColumns || !foreign
      ? { columns: userColumns ?? [], withheld: [] }
      : discoveredColumns(present, new Set(columnNames(table)), dialect);
  const stamped: readonly (string | null)[] = [stamps.created, stamps.updated];
  const isWritable = (name: string): boolean => !stamped.includes(name) && !present.get(name)?.generated;
  return { columns: columns.map((column) => ({ ...column, writable: isWritable(column.name) })), withheld };
}

function presentStamps({ created, updated }: Stamps, present: PresentColumns): TableStamps {
  const ifPresent = (column: string | null) => (column !== null && present.has(column) ? [column] : []);
  return { inserted: [...ifPresent(created), ...ifPresent(updated)], updated: ifPresent(updated) };
}

function layoutOf({ preset }: SqlSchema, dialect: Dialect, problems: string[]): Layout {
  if (preset === undefined) return reference;
  if (isPresetName(preset)) return presets[preset](dialect.name);
  problems.push(`\`schema.preset\` must be one of ${Object.keys(presets).join(', ')}`);
  return reference;
}

function idsOf(ids: SqlIds | undefined, layout: Layout, dialect: Dialect, problems: string[]): IdRule {
  checkMembers('schema.ids', ids, ID_OPTIONS, problems);
  const type = ids?.type ?? layout.ids.type;
  if (!Object.hasOwn(dialect.ids, type)) {
    problems.push(`\`schema.ids.type\` must be one of ${Object.keys(dialect.ids).join(', ')}`);
    return { type: 'text', madeBy: 'latchkey', make: undefined };
  }
  const numeric = type === 'integer' || type === 'bigint';
  const madeBy = ids?.madeBy ?? (numeric ? 'database' : ids?.type === undefined ? layout.ids.madeBy : 'latchkey');
  if (madeBy !== 'latchkey' && madeBy !== 'database')
    problems.push('`schema.ids.madeBy` must be `latchkey` or `database`');
  if (numeric && madeBy === 'latchkey')
    problems.push(`\`schema.ids.madeBy\` must be \`database\` for ids of type ${type}`);
  if (!numeric && madeBy === 'database' && !dialect.returning)
    problems.push(`\`schema.ids.madeBy\` must be \`latchkey\`: ${dialect.name} does not return ids of type ${type}`);
  if (ids?.make !== undefined && (madeBy === 'database' || typeof ids.make !== 'function'))
    problems.push('`schema.ids.make` must be a function, and only for ids that Latchkey makes');
  return { type, madeBy, make: ids?.make };
}

function stampsOf(own: SqlStamps | undefined, layout: Layout, problems: string[]): Stamps {
  checkMembers('schema.stamps', own, STAMP_OPTIONS, problems);
  const columnOf = (when: keyof Stamps) => {
    const column = own?.[when] === undefined ? layout.stamps[when] : own[when];
    if (column === null || isColumnName(column)) return column;
    problems.push(`\`schema.stamps.${when}\` must be a column's name: ${JSON.stringify(column)}`);
    return null;
  };
  return { created: columnOf('created'), updated: columnOf('updated') };
}

/** The rules of the preset or the reference schema for a table. */
interface TableRules {
  readonly layout: TableLayout | null;
  readonly ids: IdRule;
  readonly isForeign: boolean;
}

function tableOf(
  id: TableId,
  { layout, ids, isForeign }: TableRules,
  own: string | SqlTable<FieldOf<TableId>> | null | undefined,
  problems: string[],
): TableShape | null {
  if (own === null) {
    if (id !== 'userAccounts' && id !== 'userSessions' && id !== 'authenticators')
      problems.push(`\`schema.tables.${id}\` must not be null. The adapter needs this table`);
    return null;
  }
  if (!layout && own === undefined) return null;
  const given: SqlTable<string> = typeof own === 'string' ? { name: own } : (own ?? {});
  checkMembers(`schema.tables.${id}`, given, TABLE_OPTIONS, problems);
  const name = given.name ?? layout?.name ?? reference.tables[id]?.name ?? id;
  if (!isTableName(name)) problems.push(`\`schema.tables.${id}\` must be a table's name: ${JSON.stringify(name)}`);
  const isUnnamed = (field: string): boolean => given.columns?.[field] === undefined;
  const neverCreated = isForeign ? (added[id] ?? []).filter(isUnnamed) : [];
  return {
    id,
    name,
    columns: columnsOf(id, { ...(layout ?? reference.tables[id])?.columns, ...given.columns }, problems),
    further: [],
    stamps: { inserted: [], updated: [] },
    mayLack: [...(layout?.mayLack ?? []).filter(isUnnamed), ...neverCreated],
    neverCreated,
    optional: layout?.optional === true,
    idsBy: layout?.ownIds ? 'database' : ids.madeBy,
  };
}

function columnsOf(
  id: TableId,
  names: Readonly<Record<string, string | null | undefined>>,
  problems: string[],
): Record<string, Column> {
  const columns: Record<string, Column> = {};
  checkMembers(`schema.tables.${id}.columns`, names, Object.keys(fields[id]), problems);
  for (const [field, kind] of Object.entries(fields[id])) {
    const option = `\`schema.tables.${id}.columns.${field}\``;
    const name = names[field] === undefined ? field : names[field];
    if (name === null) {
      if (isRequired(id, field, kind)) problems.push(`${option} must not be null`);
    } else if (isColumnName(name)) columns[field] = { name, kind };
    else problems.push(`${option} must be a column's name: ${JSON.stringify(name)}`);
  }
  return columns;
}

/**
 * Tells whether the adapter needs a column. It does not need ids to which no row refers, or values that it only
 * returns.
 */
function isRequired(table: TableId, field: string, kind: ColumnKind): boolean {
  if (added[table]?.includes(field)) return false;
  if (kind === 'id') return table === 'users';
  return kind === 'key' || kind === 'link' || kind === 'date' || (table === 'authenticators' && field !== 'transports');
}

import type { Dialect } from '../dialect.ts';
import { checkDistinct, checkLinks, checkMembers, checkStamps } from './checks.ts';
import { type FieldOf, fields, type TableId, tableIds } from './fields.ts';
import type { ColumnKind, DateFormat, IdType } from './kinds.ts';
import { isColumnName, isTableName } from './names.ts';
import type { SqlIds, SqlSchema, SqlStamps, SqlTable } from './options.ts';
import { type Layout, presets, reference, type Stamps, type TableLayout } from './presets.ts';

/** A schema, resolved and checked: where every field of the adapter is in this database. */
export interface Shape {
  readonly ids: IdRule;
  readonly dates: DateFormat;
  /** Rows may hold dates in the other format as well. */
  readonly mixedDates: boolean;
  readonly tables: { readonly [T in TableId]: TableShape | null };
  /** Columns set to the present, in those tables that have them. */
  readonly stamps: Stamps;
  /** The tables are another library's: we add nothing to them unasked but unique indexes. */
  readonly foreign: boolean;
}

/** How ids come about. */
export interface IdRule {
  readonly type: IdType;
  readonly madeBy: 'latchkey' | 'database';
  readonly make: (() => string) | undefined;
}

/** A table's names. */
export interface TableShape {
  readonly id: TableId;
  readonly name: string;
  /** Field → column, for those that there are. */
  readonly columns: Readonly<Record<string, string>>;
  /** Columns of {@link Shape.stamps} that this table has. */
  readonly stamps: TableStamps;
  readonly mayLack: readonly string[];
  readonly optional: boolean;
  /** Who makes the ids of its rows. */
  readonly idsBy: 'latchkey' | 'database';
}

/** Columns of a table that are set to the present: when a row is inserted, and when it is changed. */
export interface TableStamps {
  readonly inserted: readonly string[];
  readonly updated: readonly string[];
}

/** What each field holds. */
export function kindsOf(table: TableId): Readonly<Record<string, ColumnKind>> {
  return fields[table];
}

/**
 * Resolves a schema.
 *
 * @throws {TypeError} that tells all problems at once, each with its remedy.
 */
export function shapeOf(schema: SqlSchema, dialect: Dialect): Shape {
  const problems: string[] = [];
  checkMembers('schema', schema, OPTIONS, problems);
  const layout = layoutOf(schema, dialect, problems);
  const ids = idsOf(schema.ids, layout, dialect, problems);
  const dates = schema.dates ?? layout.dates;
  if (dates !== 'native' && dates !== 'milliseconds')
    problems.push('`schema.dates` must be `native` or `milliseconds`');
  const stamps = settledStamps(schema.stamps, layout, problems);
  checkMembers('schema.tables', schema.tables, tableIds, problems);
  const tables = Object.fromEntries(
    tableIds.map((id) => [id, tableOf(id, layout.tables[id], schema.tables?.[id], ids, problems)]),
  ) as Record<TableId, TableShape | null>;
  checkLinks(tables, problems);
  checkDistinct(tables, problems);
  checkStamps(stamps, tables, problems);
  if (problems.length > 0) throw new TypeError(`SqlAdapter: ${problems.join('; ')}`);
  const { mixedDates = false } = layout;
  return { ids, dates, mixedDates, tables, stamps, foreign: schema.preset !== undefined };
}

const OPTIONS = ['preset', 'ids', 'dates', 'stamps', 'tables'] satisfies (keyof SqlSchema)[];
const ID_OPTIONS = ['type', 'madeBy', 'make'] satisfies (keyof SqlIds)[];
const STAMP_OPTIONS = ['created', 'updated'] satisfies (keyof SqlStamps)[];
const TABLE_OPTIONS = ['name', 'columns'] satisfies (keyof SqlTable<string>)[];

/** The shape with what this database turns out to have: columns and tables that it may lack are left out where it does. */
export function fitted(shape: Shape, columnsOf: (table: TableShape) => ReadonlySet<string>): Shape {
  const tables = Object.fromEntries(
    Object.entries(shape.tables).map(([id, table]) => {
      if (!table) return [id, null];
      const present = columnsOf(table);
      if (present.size === 0) return [id, table.optional ? null : table];
      const columns = Object.entries(table.columns).filter(
        ([field, column]) => !table.mayLack.includes(field) || present.has(column),
      );
      return [id, { ...table, columns: Object.fromEntries(columns), stamps: stampsOf(shape.stamps, present) }];
    }),
  ) as unknown as Shape['tables'];
  return { ...shape, tables };
}

function stampsOf({ created, updated }: Stamps, present: ReadonlySet<string>): TableStamps {
  const there = (column: string | null) => (column !== null && present.has(column) ? [column] : []);
  return { inserted: [...there(created), ...there(updated)], updated: there(updated) };
}

function layoutOf({ preset }: SqlSchema, dialect: Dialect, problems: string[]): Layout {
  if (preset === undefined) return reference;
  if (Object.hasOwn(presets, preset)) return presets[preset](dialect.name);
  problems.push(`no preset \`${preset}\`. There are: ${Object.keys(presets).join(', ')}`);
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
    problems.push(`ids of type ${type} are made by the database: leave \`schema.ids.madeBy\` out`);
  if (!numeric && madeBy === 'database' && !dialect.returning)
    problems.push(`${dialect.name} cannot tell an id of type ${type} that it made: let Latchkey make it`);
  if (ids?.make !== undefined && (madeBy === 'database' || typeof ids.make !== 'function'))
    problems.push('`schema.ids.make` is a function for ids that Latchkey makes');
  return { type, madeBy, make: ids?.make };
}

function settledStamps(own: SqlStamps | undefined, layout: Layout, problems: string[]): Stamps {
  checkMembers('schema.stamps', own, STAMP_OPTIONS, problems);
  const settled = (when: keyof Stamps) => {
    const column = own?.[when] === undefined ? layout.stamps[when] : own[when];
    if (column === null || isColumnName(column)) return column;
    problems.push(`\`schema.stamps.${when}\`: ${JSON.stringify(column)} is no name for a column`);
    return null;
  };
  return { created: settled('created'), updated: settled('updated') };
}

function tableOf(
  id: TableId,
  layout: TableLayout | null,
  own: string | SqlTable<FieldOf<TableId>> | null | undefined,
  ids: IdRule,
  problems: string[],
): TableShape | null {
  if (own === null) {
    if (id !== 'userAccounts' && id !== 'userSessions' && id !== 'authenticators')
      problems.push(`\`schema.tables.${id}\` cannot be null: the adapter needs it`);
    return null;
  }
  if (!layout && own === undefined) return null;
  const given: SqlTable<string> = typeof own === 'string' ? { name: own } : (own ?? {});
  checkMembers(`schema.tables.${id}`, given, TABLE_OPTIONS, problems);
  const name = given.name ?? layout?.name ?? reference.tables[id]?.name ?? id;
  if (!isTableName(name)) problems.push(`\`schema.tables.${id}\`: ${JSON.stringify(name)} is no name for a table`);
  const columns = columnsOf(id, { ...(layout ?? reference.tables[id])?.columns, ...given.columns }, problems);
  const mayLack = (layout?.mayLack ?? []).filter((field) => given.columns?.[field] === undefined);
  return {
    id,
    name,
    columns,
    stamps: { inserted: [], updated: [] },
    mayLack,
    optional: layout?.optional === true,
    idsBy: layout?.ownIds ? 'database' : ids.madeBy,
  };
}

function columnsOf(
  id: TableId,
  names: Readonly<Record<string, string | null | undefined>>,
  problems: string[],
): Record<string, string> {
  const kinds = kindsOf(id);
  const columns: Record<string, string> = {};
  checkMembers(`schema.tables.${id}.columns`, names, Object.keys(kinds), problems);
  for (const [field, kind] of Object.entries(kinds)) {
    const column = names[field] === undefined ? field : names[field];
    if (column === null) {
      if (isNeeded(id, field, kind)) problems.push(`\`schema.tables.${id}.columns.${field}\` cannot be null`);
    } else if (isColumnName(column)) columns[field] = column;
    else problems.push(`\`schema.tables.${id}.columns.${field}\`: ${JSON.stringify(column)} is no name for a column`);
  }
  const used = Object.values(columns);
  const twice = used.find((column, index) => used.indexOf(column) !== index);
  if (twice !== undefined) problems.push(`\`schema.tables.${id}\`: two fields have the column \`${twice}\``);
  return columns;
}

/** The adapter can do without the id of a row that nothing refers to, and without what is only told. */
function isNeeded(table: TableId, field: string, kind: ColumnKind): boolean {
  if (kind === 'id') return table === 'users';
  return kind === 'key' || kind === 'link' || kind === 'date' || (table === 'authenticators' && field !== 'transports');
}

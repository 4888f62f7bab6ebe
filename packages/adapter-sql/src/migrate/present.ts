import type { Dialect, Engine, Row } from '../dialect.ts';
import { tableIds } from '../schema/fields.ts';
import type { PresentColumns, Shape, TableShape } from '../schema/shape.ts';

/** A table in the database's catalog. */
export interface Present {
  /** Its columns by name. Empty if the table does not exist. */
  readonly columns: PresentColumns;
  readonly indexes: readonly PresentIndex[];
}

/** An index that exists. */
interface PresentIndex {
  readonly name: string;
  /** In the order of the index. */
  readonly columns: readonly string[];
  readonly unique: boolean;
}

/** Reads the columns and indexes of the tables of a shape. */
export async function presentIn(engine: Engine, shape: Shape): Promise<ReadonlyMap<TableShape, Present>> {
  const tables = tableIds.flatMap((id) => shape.tables[id] ?? []);
  const found = new Map<TableShape, Present>();
  // One after the other, because a pool may have few connections, and may refuse callers that have to wait.
  for (const table of tables) {
    const spelled = spellingOf(shape, table, engine.dialect);
    const { rows } = await engine.run(engine.dialect.columnsOf(table.name));
    const columns = new Map(
      rows.map(({ name, type, generated, readable }) => [
        spelled(String(name)),
        { type: String(type), generated: Number(generated) === 1, readable: Number(readable) === 1 },
      ]),
    );
    const indexes = columns.size > 0 ? (await engine.run(engine.dialect.indexesOf(table.name))).rows : [];
    found.set(table, { columns, indexes: grouped(indexes, spelled) });
  }
  return found;
}

/**
 * Returns a function that writes a column's name as the schema writes it. If the dialect ignores case, the catalog may
 * call the column `email` of the schema `Email`.
 */
function spellingOf(
  { stamps }: Shape,
  { columns, further }: TableShape,
  { ignoresCase }: Dialect,
): (name: string) => string {
  if (!ignoresCase.columns) return (name) => name;
  const known = [...[...Object.values(columns), ...further].map(({ name }) => name), stamps.created, stamps.updated];
  const spelling = new Map(known.flatMap((name) => (name === null ? [] : [[name.toLowerCase(), name] as const])));
  return (name) => spelling.get(name.toLowerCase()) ?? name;
}

function grouped(rows: readonly Row[], spelled: (name: string) => string): PresentIndex[] {
  const indexes = new Map<string, { name: string; columns: string[]; unique: boolean }>();
  for (const row of rows) {
    const name = String(row['index']);
    const index = indexes.get(name) ?? { name, columns: [], unique: Number(row['unique']) === 1 };
    index.columns[Number(row['position'])] = spelled(String(row['column']));
    indexes.set(name, index);
  }
  return [...indexes.values()];
}

/**
 * Tells whether an index can replace a wanted one. The columns of a unique index may have any order, and may be a part
 * of the wanted ones. Other indexes must begin with the same column.
 */
export function serves(index: PresentIndex, columns: readonly string[], unique: boolean): boolean {
  if (!unique) return index.columns[0] === columns[0];
  return index.unique && index.columns.every((name) => columns.includes(name));
}

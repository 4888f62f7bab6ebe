import type { Engine, Row } from '../dialect.ts';
import { tableIds } from '../schema/fields.ts';
import type { Shape, TableShape } from '../schema/shape.ts';

/** What a database has of a table. */
export interface Present {
  /** Names of its columns; none when there is no such table. */
  readonly columns: ReadonlySet<string>;
  readonly indexes: readonly PresentIndex[];
}

/** An index that is there already, whoever made it. */
export interface PresentIndex {
  readonly name: string;
  /** In order. */
  readonly columns: readonly string[];
  readonly unique: boolean;
}

/** Looks up what the database has of the tables of a shape. */
export async function presentIn(engine: Engine, shape: Shape): Promise<ReadonlyMap<TableShape, Present>> {
  const tables = tableIds.flatMap((id) => shape.tables[id] ?? []);
  const found = new Map<TableShape, Present>();
  // One after the other: a pool may have few connections, and refuse who would have to wait for one.
  for (const table of tables) {
    const { rows } = await engine.run(engine.dialect.columnsOf(table.name));
    const columns = new Set(rows.map((row) => String(row['name'])));
    const indexes = columns.size > 0 ? (await engine.run(engine.dialect.indexesOf(table.name))).rows : [];
    found.set(table, { columns, indexes: grouped(indexes) });
  }
  return found;
}

function grouped(rows: readonly Row[]): PresentIndex[] {
  const indexes = new Map<string, { name: string; columns: string[]; unique: boolean }>();
  for (const row of rows) {
    const name = String(row['index']);
    const index = indexes.get(name) ?? { name, columns: [], unique: Number(row['unique']) === 1 };
    index.columns[Number(row['position'])] = String(row['column']);
    indexes.set(name, index);
  }
  return [...indexes.values()];
}

/**
 * Does an index do what another is wanted for? A unique one serves for any order of its columns, and for more columns: what is
 * unique by itself is unique beside anything. Others serve by their first.
 */
export function serves(index: PresentIndex, columns: readonly string[], unique: boolean): boolean {
  if (!unique) return index.columns[0] === columns[0];
  return index.unique && index.columns.every((name) => columns.includes(name));
}

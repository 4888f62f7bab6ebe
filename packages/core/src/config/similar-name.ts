/** A member of the configuration that is not an option. */
export interface UnknownOption {
  /** Its path: `session.maxAges`. */
  readonly path: string;
  /** The path of the option with the most similar name; `undefined` if none is similar. */
  readonly similar: string | undefined;
}

/**
 * Returns the most similar name; `undefined` if none is similar.
 *
 * @param most The number of letters that may differ. Default: a third of the similar name.
 */
export function similarTo(name: string, names: readonly string[], most?: number): string | undefined {
  const ranked = names
    .map((other) => ({ other, distance: distance(name.toLowerCase(), other.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance);
  const [best] = ranked;
  const limit = most ?? Math.max(1, Math.floor((best?.other.length ?? 0) / 3));
  return best && best.distance <= limit ? best.other : undefined;
}

/** The number of letters to insert, delete, replace or swap (optimal string alignment). Long names are cut. */
function distance(one: string, other: string): number {
  const [a, b] = [one.slice(0, 40), other.slice(0, 40)];
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, isSwapped ? at(i - 2, j - 2) + 1 : replaced));
    }
  }
  return at(a.length, b.length);
}

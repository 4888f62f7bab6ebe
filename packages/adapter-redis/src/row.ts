/*
 * A row is text: `<owner> <mark> <JSON>`.
 * - The owner is the key part of the user to whom the row belongs, or `-`.
 * - The mark depends on the row: the expiry in milliseconds, the number of a user's last change, the random number of a
 *   reservation, or `-`.
 * The Lua scripts read owner and mark only, so the JSON comes back byte by byte.
 */

/** Members of a row: JSON values, and dates at the top level. */
export type Members = Record<string, unknown>;

/** Writes a row. */
export function rowText(owner: string | null, mark: number | null, members: Members): string {
  const dates = Object.keys(members).filter((name) => members[name] instanceof Date);
  return `${owner ?? '-'} ${mark ?? '-'} ${JSON.stringify([members, dates])}`;
}

/** Reads the key part of the user to whom a row belongs. */
export function ownerOf(row: string): string {
  return row.slice(0, row.indexOf(' '));
}

/** Reads the mark of a row; `0` if the row does not have a mark. */
export function markOf(row: string): number {
  return Number.parseInt(row.slice(row.indexOf(' ') + 1), 10) || 0;
}

/**
 * Reads the members of a row. The adapter wrote the row, so the caller states its type.
 *
 * @param isRead Which members are read. Default: all.
 * @throws {Error} if the text is not a row of this adapter. The message does not quote the text.
 */
export function membersOf<Row extends object = Members>(row: string, isRead?: (member: string) => boolean): Row {
  try {
    const json = row.slice(row.indexOf(' ', row.indexOf(' ') + 1) + 1);
    const [members, dates]: [Record<string, unknown>, string[]] = JSON.parse(json);
    const all = { ...members, ...Object.fromEntries(dates.map((name) => [name, new Date(String(members[name]))])) };
    return Object.fromEntries(Object.entries(all).filter(([member]) => isRead?.(member) ?? true)) as Row;
  } catch {
    // The parser's own message would quote the row.
    throw new Error('Redis holds a value under a key of this adapter that is not a row of this adapter');
  }
}

/*
 * A row is text: `<owner> <mark> <JSON>`. The owner is the key part of the user it belongs to, or `-`. The mark is the instant
 * at which it expires, in milliseconds; for a user the number of the last change; for what
 * was claimed a number drawn by chance; else `-`. Scripts read these two and leave
 * the JSON alone: what is in there comes back exactly as it was.
 */

/** Members of a row: what JSON can hold, and dates. */
export type Members = Record<string, unknown>;

/** Writes a row. */
export function rowText(owner: string | null, mark: number | null, members: Members): string {
  const dates = Object.keys(members).filter((name) => members[name] instanceof Date);
  return `${owner ?? '-'} ${mark ?? '-'} ${JSON.stringify([members, dates])}`;
}

/** The key part of the user that a row belongs to. */
export function ownerOf(row: string): string {
  return row.slice(0, row.indexOf(' '));
}

/** The mark of a row, `0` where it has none. */
export function markOf(row: string): number {
  return Number.parseInt(row.slice(row.indexOf(' ') + 1), 10) || 0;
}

/**
 * Reads the members of a row.
 *
 * @throws {Error} when it is no row of ours. The message has nothing of it.
 */
export function membersOf(row: string): Members {
  const members = parse(row.slice(row.indexOf(' ', row.indexOf(' ') + 1) + 1));
  if (!members) throw new Error('Redis holds something under a key of ours that is no row of ours');
  return members;
}

function parse(json: string): Members | undefined {
  try {
    const [members, dates] = JSON.parse(json) as [Members, string[]];
    const revived = dates.map((name) => [name, new Date(members[name] as string)]);
    return { ...members, ...Object.fromEntries(revived) };
  } catch {
    // The parser's own message would quote the row.
    return undefined;
  }
}

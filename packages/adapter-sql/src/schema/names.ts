/**
 * Names from the configuration get into SQL: letters, digits, `_` and `$`, not beginning with a digit, at most 63 characters
 * (what PostgreSQL keeps of a name; MySQL keeps 64). Always quoted, so upper case counts.
 */
const NAME = /^[A-Za-z_][A-Za-z0-9_$]{0,62}$/;

/** May be a column's name. */
export function isColumnName(name: unknown): name is string {
  return typeof name === 'string' && NAME.test(name);
}

/** May be a table's name, with or without a schema before it: `users`, `auth.users`. */
export function isTableName(name: unknown): name is string {
  if (typeof name !== 'string') return false;
  const parts = name.split('.');
  return parts.length <= 2 && parts.every((part) => NAME.test(part));
}

/** The longest name that every engine keeps whole. */
const LONGEST = 63;

/** A name for an index. One that would be too long is cut and ends in a checksum, so that two of them stay two. */
export function indexName(table: string, columns: readonly string[]): string {
  const name = [table.replace('.', '_'), ...columns].join('_');
  if (name.length <= LONGEST) return name;
  const sum = checksum(name);
  return `${name.slice(0, LONGEST - sum.length - 1)}_${sum}`;
}

/** FNV-1a, 32 bits, as text. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
}

/**
 * Names from the configuration become part of SQL: letters, digits, `_` and `$`, the first one not a digit. PostgreSQL
 * cuts names after 63 characters, MySQL after 64. Names are always quoted, so upper case counts.
 */
const NAME = /^[A-Za-z_][A-Za-z0-9_$]{0,62}$/;

/** Tells whether a value can be a column's name. */
export function isColumnName(name: unknown): name is string {
  return typeof name === 'string' && NAME.test(name);
}

/** Tells whether a value can be a table's name, with or without its schema: `users`, `auth.users`. */
export function isTableName(name: unknown): name is string {
  if (typeof name !== 'string') return false;
  const parts = name.split('.');
  return parts.length <= 2 && parts.every((part) => NAME.test(part));
}

/** Length of the longest name that no engine cuts. */
const LONGEST = 63;

/** Returns a name for an index. A name that is too long is cut and ends in a checksum, so that names stay distinct. */
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

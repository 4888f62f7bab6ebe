import type { Dialect, DialectName } from '../dialect.ts';
import { mysql } from './mysql.ts';
import { postgres } from './postgres.ts';
import { sqlite } from './sqlite.ts';

/** The dialects by name. */
export const dialects: Readonly<Record<DialectName, Dialect>> = { sqlite, postgres, mysql };

/**
 * Returns the dialect of a name.
 *
 * @throws {TypeError} if no dialect has this name.
 */
export function dialectNamed(name: DialectName): Dialect {
  if (Object.hasOwn(dialects, name)) return dialects[name];
  throw new TypeError(`the dialect must be one of ${Object.keys(dialects).join(', ')}: ${JSON.stringify(name)}`);
}

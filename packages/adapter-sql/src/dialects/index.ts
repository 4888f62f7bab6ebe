import type { Dialect, DialectName } from '../dialect.ts';
import { mysql } from './mysql.ts';
import { postgres } from './postgres.ts';
import { sqlite } from './sqlite.ts';

export type { DialectName } from '../dialect.ts';

/** The dialects by name. */
export const dialects: Readonly<Record<DialectName, Dialect>> = { sqlite, postgres, mysql };

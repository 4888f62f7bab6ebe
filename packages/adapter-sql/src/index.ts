export { SqlAdapter, type SqlAdapterOptions } from './adapter.ts';
export type { DialectName } from './dialect.ts';
export type { SqliteDatabase, SqliteStatement } from './dialects/sqlite-database.ts';
export type { Database } from './engine-of.ts';
export { RowNotFound, UniqueViolation } from './errors.ts';
export { migrate, schemaSql } from './migrate.ts';

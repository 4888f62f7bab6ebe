export type { UserFieldDefinitions, UserFieldKind, UserFields } from '@latchkey/core/adapters';
export { type NoUserFields, SqlAdapter, type SqlAdapterOptions } from './adapter.ts';
export type { Database, EngineOptions } from './database.ts';
export type { DialectName } from './dialect.ts';
export { RowNotFound, UniqueViolation } from './errors.ts';
export { type Duplicates, type MigrateOptions, type MigrationReport, migrate, schemaSql } from './migrate/migrate.ts';
export { rateLimitsSql, SqlRateLimits, type SqlRateLimitsOptions } from './rate-limit.ts';
export type { DateFormat, FieldOf, IdType, TableId } from './schema/fields.ts';
export type { SqlIds, SqlSchema, SqlStamps, SqlTable } from './schema/options.ts';
export type { PresetName } from './schema/presets.ts';
export {
  type SessionRecordTables,
  SqlSessionRecords,
  type SqlSessionRecordsOptions,
  sessionRecordsSql,
} from './session-records.ts';
export type { HashSessionTokens } from './session-tokens.ts';
export { SqlTokenVault, type SqlTokenVaultOptions, tokenVaultSql } from './token-vault.ts';

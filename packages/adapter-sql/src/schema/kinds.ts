/**
 * What a column holds. `key` is text that rows are found by, `id` the primary key of a row, `link` the `id` of a row
 * elsewhere.
 */
export type ColumnKind = 'key' | 'text' | 'number' | 'boolean' | 'date' | 'link' | 'id';

/** What ids are in the database. The adapter hands all of them out as text. */
export type IdType = 'text' | 'uuid' | 'integer' | 'bigint';

/** How dates are kept: as the dialect prefers, or as milliseconds since 1970. */
export type DateFormat = 'native' | 'milliseconds';

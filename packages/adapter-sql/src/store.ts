import type { Kysely } from 'kysely';
import type { Dialect, Engine } from './dialect.ts';
import type { Tables } from './schema.ts';

/** What the adapter's methods work with. */
export interface Store extends Pick<Engine, 'run' | 'batch'> {
  readonly dialect: Dialect;
  /** Writes SQL, and runs none. */
  readonly write: Kysely<Tables>;
  readonly now: () => Date;
}

import type { SqlSchema } from '@latchkey/adapter-sql';
import { type Database, SqlAdapter } from '@latchkey/adapter-sql';
import type { Adapter } from '@latchkey/core/adapters';
import { type Documented, inDialect } from '../../../packages/adapter-sql/test/presets/documented.ts';
import type { TableNames } from '../store.ts';

/** A database that Auth.js uses by its own adapter, and Latchkey by a preset. */
export interface World {
  readonly title: string;
  readonly documented: Documented;
  /** Auth.js's adapter. */
  readonly theirs: Adapter;
  readonly ours: Adapter;
  /** The tables, in double quotes. */
  readonly tables: TableNames;
  /** Runs a statement in double quotes, past both adapters. */
  rows(statement: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

/** The parts from which a {@link World} is made. */
export interface Parts {
  readonly documented: Documented;
  /** The difference to other worlds of the same tables, for the title. */
  readonly note?: string;
  /** The preset, unless it is something about it. */
  readonly schema?: SqlSchema;
  readonly theirs: Adapter;
  readonly db: Database;
  query(statement: string): Promise<readonly object[]> | readonly object[];
  close(): Promise<unknown> | unknown;
}

/** How a world is called in tests, before it is open. */
export interface WorldKind {
  readonly title: string;
  readonly isAvailable: boolean;
  open(): Promise<World>;
}

/** A kind of world; `open` brings an empty database, in which the tables are made here. */
export function world(
  documented: Documented,
  isAvailable: boolean,
  open: () => Promise<Omit<Parts, 'documented' | 'note'>>,
  note = '',
): WorldKind {
  const title = `${documented.title}${note}`;
  return {
    title,
    isAvailable,
    async open() {
      const { schema = { preset: documented.preset }, theirs, db, query, close } = await open();
      for (const statement of documented.statements) await query(statement);
      return {
        title,
        documented,
        theirs,
        ours: SqlAdapter(db, { schema }),
        tables: tablesOf(documented),
        rows: async (statement) => (await query(inDialect(documented.dialect, statement))).map((row) => ({ ...row })),
        close: async () => {
          await close();
        },
      };
    },
  };
}

function tablesOf({ preset, dialect }: Documented): TableNames {
  const [users, accounts, sessions, tokens] = NAMES[preset].map((name) => inDialect(dialect, `"${name}"`));
  return { users, accounts, sessions, tokens } as TableNames;
}

const NAMES = {
  'pg-adapter': ['users', 'accounts', 'sessions', 'verification_token'],
  'kysely-adapter': ['User', 'Account', 'Session', 'VerificationToken'],
  'drizzle-adapter': ['user', 'account', 'session', 'verificationToken'],
  'prisma-adapter': ['User', 'Account', 'Session', 'VerificationToken'],
} as const;

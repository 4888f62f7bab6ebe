import type { SqlAdapter } from '@latchkey/adapter-sql';
import type { SessionReader } from './look.ts';
import type { Peer } from './peers.ts';

/** A database with sessions. */
export interface Store {
  readonly adapter: SqlAdapter;
  /** Adapters on connections with other settings, by the setting. */
  readonly tuned: Readonly<Record<string, SqlAdapter>>;
  /** `getSessionAndUser` with a statement by hand, prepared once. */
  readonly byHand: SessionReader;
  /** Returns the number of statements that work with an adapter runs. */
  statementsOf(work: (adapter: SqlAdapter) => Promise<unknown>): Promise<number>;
  /** Adapters of other projects, on their own tables with the same users. */
  peers(): Promise<Peer[]>;
  close(): Promise<void>;
}

/** Creates a database with this number of users and their sessions. */
export type OpenStore = (people: number) => Promise<Store>;

/** Returns the tables of a schema without its indexes, which are created faster after the rows. */
export function tablesOf(schema: string): string {
  return schema.slice(0, schema.search(/^create (unique )?index/m));
}

/** The row of the statement by hand. */
export interface HandRow {
  sessionToken: string;
  user: string;
  expires: Date | string;
  name: string;
  email: string;
  emailVerified: Date | string | null;
  image: string | null;
}

/** Returns a row as session and user, as adapters do. */
export function readByHand(row: HandRow | undefined): object | null {
  if (!row) return null;
  const { sessionToken, user, expires, name, email, emailVerified, image } = row;
  return {
    session: { sessionToken, userId: user, expires: new Date(expires) },
    user: { id: user, name, email, emailVerified: emailVerified && new Date(emailVerified), image },
  };
}

/** Returns the statement by hand. `parameter` is the database's placeholder. */
export function selectByHand(parameter: string): string {
  return `
    select s."sessionToken", s."user", s."expires", u."name", u."email", u."emailVerified", u."image"
    from "auth_sessions" as s join "auth_users" as u on u."id" = s."user"
    where s."sessionToken" = ${parameter}`;
}

import type { SqlAdapter } from '@latchkey/adapter-sql';
import type { SessionReader } from './look.ts';
import type { Peer } from './peers.ts';

/** A database full of sessions. */
export interface Store {
  readonly adapter: SqlAdapter;
  /** The same on connections that an application has set otherwise, by what it has set. */
  readonly tuned: Readonly<Record<string, SqlAdapter>>;
  /** What it takes by statements that somebody wrote by hand, prepared once. */
  readonly byHand: SessionReader;
  /** Runs work with an adapter that counts; how many statements that took. */
  statementsOf(work: (adapter: SqlAdapter) => Promise<unknown>): Promise<number>;
  /** Other people's adapters, on tables of their own with the same people. */
  peers(): Promise<Peer[]>;
  close(): Promise<void>;
}

/** Fills a new database with so many people and their sessions. */
export type OpenStore = (people: number) => Promise<Store>;

/** The tables of a schema without its indexes, which are made faster once the rows are there. */
export function tablesOf(schema: string): string {
  return schema.slice(0, schema.search(/^create (unique )?index/m));
}

/** What both kinds of rows by hand have in common. */
export interface HandRow {
  sessionToken: string;
  user: string;
  expires: Date | string;
  name: string;
  email: string;
  emailVerified: Date | string | null;
  image: string | null;
}

/** A row as the adapter's contract wants it. */
export function readByHand(row: HandRow | undefined): object | null {
  if (!row) return null;
  const { sessionToken, user, expires, name, email, emailVerified, image } = row;
  return {
    session: { sessionToken, userId: user, expires: new Date(expires) },
    user: { id: user, name, email, emailVerified: emailVerified && new Date(emailVerified), image },
  };
}

/** The statement by hand; `parameter` is how the database writes one. */
export function selectByHand(parameter: string): string {
  return `
    select s."sessionToken", s."user", s."expires", u."name", u."email", u."emailVerified", u."image"
    from "auth_sessions" as s join "auth_users" as u on u."id" = s."user"
    where s."sessionToken" = ${parameter}`;
}

import type { Desk } from './places.ts';

/** Numbers of complete and incomplete rows. */
export interface Tally {
  /** Users with their linked account. */
  readonly users: number;
  /** Sessions with their user and link. */
  readonly sessions: number;
  /** Incomplete rows: users without an account, links without a row. */
  readonly halves: number;
}

/** Counts the rows of all tables. */
export async function tallyOf({ rows }: Desk): Promise<Tally> {
  const [found] = await rows(COUNTED);
  const number = (name: string): number => Number(found?.[name]);
  const [users, sessions] = [number('whole_users'), number('whole_sessions')];
  const halves =
    number('users') +
    number('accounts') +
    number('users_accounts') -
    3 * users +
    (number('sessions') + number('users_sessions') - 2 * sessions);
  return { users, sessions, halves };
}

const COUNTED = `
select
  (select count(*) from "auth_users") as users,
  (select count(*) from "auth_accounts") as accounts,
  (select count(*) from "auth_sessions") as sessions,
  (select count(*) from "auth_users_accounts") as users_accounts,
  (select count(*) from "auth_users_sessions") as users_sessions,
  (select count(*) from "auth_users" as u
    join "auth_accounts" as a on a."user" = u."id"
    join "auth_users_accounts" as l on l."account" = a."id" and l."user" = u."id") as whole_users,
  (select count(*) from "auth_sessions" as s
    join "auth_users" as u on u."id" = s."user"
    join "auth_users_sessions" as l on l."session" = s."id" and l."user" = u."id") as whole_sessions`;

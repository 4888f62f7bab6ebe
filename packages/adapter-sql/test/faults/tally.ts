import type { Desk } from './places.ts';

/** How many there are. */
export interface Tally {
  /** Users who have their account, and it is linked to them. */
  readonly users: number;
  /** Sessions that have their user, and are linked to them. */
  readonly sessions: number;
  /** Rows of which another half is missing: a user without account, a link that leads nowhere. */
  readonly halves: number;
}

/** Counts everything that was written. */
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

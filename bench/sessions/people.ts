import { createHash } from 'node:crypto';

/*
 * Person `n` has a user, a session and the link between them. All values are computed from the number, so a session can
 * be requested without reading it first.
 */

/** Returns a token: 32 hexadecimal digits, the same as those of PostgreSQL's `md5`. */
export function tokenOf(person: number): string {
  return createHash('md5').update(String(person)).digest('hex');
}

export function userIdOf(person: number): string {
  return `user-${person}`;
}

export function emailOf(person: number): string {
  return `person-${person}@example.com`;
}

/** The expiry of all sessions: late enough that no request extends a session, which would write. */
export const expires: Date = new Date(Date.now() + 30 * 24 * 60 * 60 * 1000);

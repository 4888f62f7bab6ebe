import { createHash } from 'node:crypto';

/*
 * Person `n` has a user, a session and the link between them. All of it follows from the number, so that any session can be
 * asked for without reading it first.
 */

/** 32 hexadecimal digits in no order, as tokens are. The same as PostgreSQL's `md5`. */
export function tokenOf(person: number): string {
  return createHash('md5').update(String(person)).digest('hex');
}

export function userIdOf(person: number): string {
  return `user-${person}`;
}

export function emailOf(person: number): string {
  return `person-${person}@example.com`;
}

/** When every session ends: far enough away that no look extends one, since that would write. */
export const expires: Date = new Date(Date.now() + 30 * 24 * 60 * 60 * 1000);

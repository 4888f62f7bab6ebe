import type { AdapterUser } from '@latchkey/core/adapters';
import { type Members, markOf, membersOf, rowText } from '../row.ts';
import { checked, type MemberKind, required } from '../values.ts';

const KINDS: Readonly<Record<string, MemberKind>> = {
  id: 'text',
  name: 'text',
  email: 'text',
  emailVerified: 'date',
  image: 'text',
};

/**
 * A user's members, ready to be stored. The id is the one given, else made here.
 *
 * @throws {TypeError} when a member cannot be stored exactly as it is.
 */
export function userMembers(user: Partial<AdapterUser>): Members & { id: string } {
  const { name = null, email, emailVerified = null, image = null, ...more } = checked('user', KINDS, user, 'more');
  // An address that is none must not be shared by all who have none.
  const members = { ...more, name, email: email || null, emailVerified, image };
  return { ...members, id: required('user.id', user.id ?? crypto.randomUUID()) };
}

/** The members that an update changes, checked. */
export function userChanges(user: Partial<AdapterUser>): Members {
  const { id: _, ...changes } = checked('user', KINDS, user, 'more');
  return 'email' in changes ? { ...changes, email: changes['email'] || null } : changes;
}

/** A user's row. Its mark is the number of the change, so that no two texts of one user are alike. */
export function userText(members: Members, change = 1): string {
  return rowText(null, change, members);
}

/** The row after another change, which may be none. */
export function bumped(row: string, members: Members = membersOf(row)): string {
  return userText(members, markOf(row) + 1);
}

/** A user out of a row. */
export function readUser(row: string): AdapterUser {
  const { id, name, email, emailVerified, image, ...more } = membersOf(row);
  return { id, name, email, emailVerified, image, ...more } as AdapterUser;
}

/** The address in a user's row. */
export function emailOf(row: string): string | null {
  return (membersOf(row)['email'] as string | null) ?? null;
}

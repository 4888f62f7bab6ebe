import { type AdapterUser, fields, type UserFieldDefinitions, type UserFieldKind } from '@latchkey/core/adapters';
import { type Members, markOf, membersOf, rowText } from '../row.ts';
import { checked, type MemberKinds, required, type Unlisted } from '../values.ts';

/** The members that users have in this store. */
export interface UserColumns {
  readonly kinds: MemberKinds;
  readonly unlisted: Unlisted;
}

/**
 * Returns the members of users: those of every adapter, and those that the application lists.
 *
 * @param userFields If it is `undefined`, each further member is stored.
 * @throws {TypeError} if a definition is not valid.
 */
export function userColumns(userFields: UserFieldDefinitions | undefined): UserColumns {
  if (userFields === undefined) return { kinds: fields.users, unlisted: 'keep' };
  const kinds: Record<string, MemberKinds[string]> = { ...fields.users };
  for (const [member, definition] of Object.entries(userFields)) {
    const kind = typeof definition === 'string' ? definition : definition?.type;
    if (Object.hasOwn(fields.users, member))
      throw new TypeError(`\`userFields.${member}\` names a member of every user`);
    if (!KINDS.has(kind)) throw new TypeError(`\`userFields.${member}\` must be one of ${[...KINDS].join(', ')}`);
    kinds[member] = kind;
  }
  const reported = new Set<string>();
  return {
    kinds,
    unlisted: (member) => {
      if (reported.has(member)) return;
      reported.add(member);
      console.warn(
        `[auth][warn][user-field-dropped] RedisAdapter: user.${member} is not in \`userFields\` and is not stored. Add it to \`userFields\`, or do not set it.`,
      );
    },
  };
}

const KINDS: ReadonlySet<UserFieldKind> = new Set<UserFieldKind>(['text', 'number', 'boolean', 'date', 'json']);

/**
 * Returns the members of a new user, ready to be stored. If the user has no id, a random UUID becomes the id.
 *
 * @throws {TypeError} if a member cannot be stored exactly.
 */
export function userMembers({ kinds, unlisted }: UserColumns, user: Partial<AdapterUser>): Members & { id: string } {
  const members = { ...EMPTY, ...checked('user', kinds, user, unlisted) };
  // An empty address is stored as null: otherwise all users without an address would share it.
  return { ...members, email: members['email'] || null, id: required('user.id', user.id ?? crypto.randomUUID()) };
}

/** Each field of a user, as null: a row names them all. */
const EMPTY: Members = Object.fromEntries(Object.keys(fields.users).map((name) => [name, null]));

/** Returns the members that an update changes, checked. */
export function userChanges({ kinds, unlisted }: UserColumns, user: Partial<AdapterUser>): Members {
  const { id: _, ...changes } = checked('user', kinds, user, unlisted);
  return 'email' in changes ? { ...changes, email: changes['email'] || null } : changes;
}

/** Writes a user's row. Its mark is the number of the change, so two rows of one user never have the same text. */
export function userText(members: Members, change = 1): string {
  return rowText(null, change, members);
}

/** Returns the row after one more change; without `members` only the number changes. */
export function bumped(row: string, members: Members = membersOf(row)): string {
  return userText(members, markOf(row) + 1);
}

/** Reads a user. If the application lists its members, the others are left out. */
export function readUser({ kinds, unlisted }: UserColumns, row: string): AdapterUser {
  const isRead = (member: string): boolean => unlisted === 'keep' || Object.hasOwn(kinds, member);
  return { ...EMPTY, ...membersOf<AdapterUser>(row, isRead) };
}

/** Reads the address in a user's row. */
export function emailOf(row: string): string | null {
  return membersOf<AdapterUser>(row).email ?? null;
}

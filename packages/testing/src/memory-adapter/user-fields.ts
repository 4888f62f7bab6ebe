import { fields, type UserFieldDefinitions, type UserFieldKind } from '@latchkey/core/adapters';

/** Checks the members of a user and leaves out those that are not listed. */
export type UserCheck = <Members extends object>(user: Members) => Members;

/**
 * Returns the check of a user's members.
 *
 * @param definitions The further columns of users. If it is `undefined`, each member is kept.
 * @returns A function that throws a {@link TypeError} if a member has a value of another kind. The error names the
 *   member.
 */
export function userCheck(definitions: UserFieldDefinitions | undefined): UserCheck {
  if (!definitions) return (user) => user;
  const reported = new Set<string>();
  const isKept = (member: string, value: unknown): boolean => {
    if (Object.hasOwn(fields.users, member)) return true;
    const definition = Object.hasOwn(definitions, member) ? definitions[member] : undefined;
    if (definition === undefined) {
      if (!reported.has(member)) console.warn(dropped(member));
      reported.add(member);
      return false;
    }
    const kind = typeof definition === 'string' ? definition : definition.type;
    if (value !== undefined && value !== null && !isOfKind[kind](value))
      throw new TypeError(`user.${member} must be a value of the kind ${kind}`);
    return true;
  };
  return (user) => {
    const copy = { ...user };
    for (const [member, value] of Object.entries(user))
      if (!isKept(member, value)) Reflect.deleteProperty(copy, member);
    return copy;
  };
}

const dropped = (member: string): string =>
  `[auth][warn][user-field-dropped] memoryAdapter: user.${member} is not in \`userFields\` and is not stored. Add it to \`userFields\`, or do not set it.`;

const isOfKind: Readonly<Record<UserFieldKind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  number: (value) => Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  date: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  json: isJson,
};

function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).every(isJson);
}

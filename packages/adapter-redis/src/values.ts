import { partOf } from './keys.ts';
import type { Members } from './row.ts';

/** What a member has to be. */
export type MemberKind = 'text' | 'number' | 'boolean' | 'date';

/**
 * The members of an object that are to be stored, checked. `undefined` counts as absent.
 *
 * @param name How messages call the object.
 * @param kinds The members of the contract.
 * @param more Whether members beyond these are kept; else they are passed over.
 * @throws {TypeError} when a member cannot be stored exactly as it is. The message names the member, never its value.
 */
export function checked(
  name: string,
  kinds: Readonly<Record<string, MemberKind>>,
  object: object,
  more: 'more' | 'no more',
): Members {
  const members: [string, unknown][] = [];
  for (const [member, value] of Object.entries(object)) {
    if (value === undefined) continue;
    const kind = Object.hasOwn(kinds, member) ? kinds[member] : undefined;
    if (kind === undefined && more === 'no more') continue;
    if (value !== null) checkMember(`${name}.${member}`, kind, value);
    members.push([member, value]);
  }
  return Object.fromEntries(members);
}

function checkMember(name: string, kind: MemberKind | undefined, value: unknown): void {
  switch (kind ?? (value instanceof Date ? 'date' : typeof value)) {
    case 'text':
      required(name, value);
      return;
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) throw new TypeError(`${name} must be a finite number`);
      return;
    case 'boolean':
      if (typeof value !== 'boolean') throw new TypeError(`${name} must be true or false`);
      return;
    case 'date':
      instant(name, value);
      return;
    case 'string':
    case 'object':
      return;
    default:
      throw new TypeError(`${name} must be something that JSON can hold, or a Date`);
  }
}

/** @throws {TypeError} when the value is missing, or no text that can be stored. */
export function required(name: string, value: unknown): string {
  if (value === undefined || value === null) throw new TypeError(`${name} is missing`);
  if (typeof value !== 'string' || !isWhole(value))
    throw new TypeError(`${name} must be text that the database can keep as it is`);
  return value;
}

/** @throws {TypeError} when the value is no instant that can be stored. */
export function instant(name: string, value: unknown): Date {
  const time = value instanceof Date ? value.getTime() : Number.NaN;
  if (!(time >= EARLIEST && time <= LATEST))
    throw new TypeError(`${name} must be a valid Date within the years 0 to 9999`);
  return new Date(time);
}

/** Something to look for; `null` where it could not have been stored. */
export function lookup(value: unknown): string | null {
  return typeof value === 'string' && isWhole(value) ? value : null;
}

/** The key part of something to look for; `null` where it could not have been stored. */
export function lookupPart(value: unknown): string | null {
  const text = lookup(value);
  return text === null ? null : partOf(text);
}

/** The same for a key of two values. */
export function lookupPair(first: unknown, second: unknown): string | null {
  const pair = [lookup(first), lookup(second)] as const;
  return pair[0] === null || pair[1] === null ? null : partOf([pair[0], pair[1]]);
}

/** Half of a surrogate pair has no UTF-8. */
function isWhole(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

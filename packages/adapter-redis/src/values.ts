import type { FieldKind, UserFieldKind } from '@latchkey/core/adapters';
import { partOf } from './keys.ts';
import type { Members } from './row.ts';

/** The kind of value that a member must have. */
export type MemberKind = FieldKind | UserFieldKind;

/** The kinds of the members that an object can have, by name. */
export type MemberKinds = Readonly<Record<string, MemberKind>>;

/** How to treat a member without a kind: store it, leave it out, or report it and leave it out. */
export type Unlisted = 'keep' | 'leave out' | ((member: string) => void);

/**
 * Returns the members of an object that are to be stored, checked. A member that is `undefined` counts as absent.
 *
 * @param name The object's name in messages.
 * @throws {TypeError} if a member cannot be stored exactly. The message names the member, never its value.
 */
export function checked(name: string, kinds: MemberKinds, object: object, unlisted: Unlisted): Members {
  const members: [string, unknown][] = [];
  for (const [member, value] of Object.entries(object)) {
    if (value === undefined) continue;
    const kind = Object.hasOwn(kinds, member) ? kinds[member] : undefined;
    if (kind === undefined && unlisted !== 'keep') {
      if (typeof unlisted === 'function') unlisted(member);
      continue;
    }
    if (value !== null) checkMember(`${name}.${member}`, kind, value);
    members.push([member, value]);
  }
  return Object.fromEntries(members);
}

function checkMember(name: string, kind: MemberKind | undefined, value: unknown): void {
  switch (kind ?? (value instanceof Date ? 'date' : typeof value)) {
    case 'id':
    case 'key':
    case 'link':
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
    case 'json':
      if (!isJson(value)) throw new TypeError(`${name} must be a value that JSON can hold`);
      return;
    case 'string':
    case 'object':
      return;
    default:
      throw new TypeError(`${name} must be a value that JSON can hold, or a Date`);
  }
}

/** Returns a text. @throws {TypeError} if the value is missing or is not text that Redis can store. */
export function required(name: string, value: unknown): string {
  if (value === undefined || value === null) throw new TypeError(`${name} is missing`);
  if (typeof value !== 'string' || !isWellFormed(value))
    throw new TypeError(`${name} must be text that the database can store unchanged`);
  return value;
}

/** Returns a copy of a date. @throws {TypeError} if the value is not a date that Redis can store. */
export function instant(name: string, value: unknown): Date {
  const time = value instanceof Date ? value.getTime() : Number.NaN;
  // Written as !(a && b) so that an invalid date is refused.
  if (!(time >= EARLIEST && time <= LATEST))
    throw new TypeError(`${name} must be a valid Date within the years 0 to 9999`);
  return new Date(time);
}

/** Returns the key part of a value to look up; `null` if such a value cannot have been stored. */
export function lookupPart(value: unknown): string | null {
  return isStorable(value) ? partOf(value) : null;
}

/** Returns the key part of a pair of values to look up; `null` if such a pair cannot have been stored. */
export function lookupPair(first: unknown, second: unknown): string | null {
  return isStorable(first) && isStorable(second) ? partOf([first, second]) : null;
}

function isStorable(value: unknown): value is string {
  return typeof value === 'string' && isWellFormed(value);
}

/** UTF-8 cannot encode half of a surrogate pair. */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).every(isJson);
}

const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

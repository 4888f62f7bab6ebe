import {
  type AdapterAccount,
  type AdapterAuthenticator,
  type AdapterSession,
  type AdapterUser,
  addedFields,
  fields,
  type VerificationToken,
} from '@latchkey/core/adapters';
import type { Awaitable } from '@latchkey/core/types';

/** Fails the case unless the condition is true. */
export function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** Fails the case unless both values are equal. Compares dates as instants; `undefined` equals `null`. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [is, should] = [print(actual), print(expected)];
  check(is === should, `${what}: expected ${abridged(should)}, got ${abridged(is)}`);
}

/** Fails the case unless the value is null or undefined. */
export function nothing(actual: unknown, what: string): void {
  check(actual === null || actual === undefined, `${what}: expected null, got ${abridged(print(actual))}`);
}

/** Fails the case unless the work throws or rejects. */
export async function refused(work: () => Awaitable<unknown>, what: string): Promise<void> {
  const done = await outcome(work);
  check(!done.ok, `${what}: expected a rejection, got ${abridged(print(done.ok && done.value))}`);
}

/** The adapter lacks a method that a case needs. A case never accepts this error as a refusal. */
export class MissingMethod extends Error {
  override readonly name: string = 'MissingMethod';
}

/** The result of a piece of work. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | Refusal;

/** The result of work that threw or rejected. */
export interface Refusal {
  readonly ok: false;
  readonly error: unknown;
}

/** Does the work and returns its outcome. A synchronous exception counts as a rejection. */
export async function outcome<T>(work: () => Awaitable<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (error instanceof MissingMethod) throw error;
    return { ok: false, error };
  }
}

/** Compares the fields that every adapter keeps. An adapter may return further members. */
export function sameUser(actual: AdapterUser | null | undefined, expected: AdapterUser, what = 'user'): void {
  sameMembers(Object.keys(fields.users), actual, expected, what);
}

/** Compares the fields that every adapter keeps. */
export function sameSession(
  actual: AdapterSession | null | undefined,
  expected: AdapterSession,
  what = 'session',
): void {
  sameMembers(Object.keys(fields.sessions), actual, expected, what);
}

/** Compares the members that `expected` has. */
export function sameAccount(actual: AdapterAccount | null | undefined, expected: object, what = 'account'): void {
  sameMembers(Object.keys(expected), actual, expected, what);
}

/** Compares the fields that every adapter keeps. */
export function sameToken(
  actual: VerificationToken | null | undefined,
  expected: VerificationToken,
  what = 'verification token',
): void {
  sameMembers(Object.keys(fields.verificationTokens), actual, expected, what);
}

/** Compares the fields that every adapter keeps. */
export function sameAuthenticator(
  actual: AdapterAuthenticator | null | undefined,
  expected: AdapterAuthenticator,
  what: string,
): void {
  const kept = Object.keys(fields.authenticators).filter((name) => !addedFields.authenticators?.includes(name));
  sameMembers(kept, actual, expected, what);
}

/** Compares the named members of two objects. */
export function sameMembers(
  names: readonly string[],
  actual: object | null | undefined,
  expected: object,
  what: string,
): void {
  same(actual && membersOf(actual, names), membersOf(expected, names), what);
}

function membersOf(row: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, Reflect.get(row, name)]));
}

/** Prints plain data. A date and a text that looks like a date print differently. */
function print(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (value instanceof Date) return `Date(${value.getTime()})`;
  if (Array.isArray(value)) return `[${value.map(print).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value) ?? String(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${name}: ${print(member)}`).join(', ')}}`;
}

function abridged(text: string): string {
  return text.length > 400 ? `${text.slice(0, 400)}… (${text.length} characters)` : text;
}

import type { AdapterAccount, AdapterSession, AdapterUser, VerificationToken } from '@latchkey/core/adapters';
import type { Awaitable } from '@latchkey/core/types';

/** Fails the case unless `condition` holds. */
export function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** Fails the case unless the two print alike. Dates are compared as instants, `undefined` as `null`. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [is, should] = [print(actual), print(expected)];
  check(is === should, `${what}: expected ${abridged(should)}, got ${abridged(is)}`);
}

/** Fails the case unless nothing was found. */
export function nothing(actual: unknown, what: string): void {
  check(actual === null || actual === undefined, `${what}: expected null, got ${abridged(print(actual))}`);
}

/** Fails the case unless the work is refused. */
export async function refused(work: () => Awaitable<unknown>, what: string): Promise<void> {
  const done = await outcome(work);
  check(!done.ok, `${what}: expected a rejection, got ${abridged(print(done.ok && done.value))}`);
}

/** The adapter lacks a method that a case needs: never an outcome that the case could accept. */
export class MissingMethod extends Error {
  override readonly name: string = 'MissingMethod';
}

/** What work led to. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | Refusal;

/** An outcome without a value. */
export interface Refusal {
  readonly ok: false;
  readonly error: unknown;
}

/** Does work; exceptions thrown at once count as rejections. */
export async function outcome<T>(work: () => Awaitable<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (error instanceof MissingMethod) throw error;
    return { ok: false, error };
  }
}

/** Compares the members that the contract names; an adapter may add others. */
export function sameUser(actual: AdapterUser | null | undefined, expected: AdapterUser, what = 'user'): void {
  same(actual && userOf(actual), userOf(expected), what);
}

/** Compares the members that the contract names. */
export function sameSession(
  actual: AdapterSession | null | undefined,
  expected: AdapterSession,
  what = 'session',
): void {
  same(actual && sessionOf(actual), sessionOf(expected), what);
}

/** Compares the members that `expected` has. */
export function sameAccount(
  actual: AdapterAccount | null | undefined,
  expected: AdapterAccount,
  what = 'account',
): void {
  const picked = actual && Object.fromEntries(Object.keys(expected).map((member) => [member, actual[member]]));
  same(picked, expected, what);
}

/** Compares the members that the contract names. */
export function sameToken(
  actual: VerificationToken | null | undefined,
  expected: VerificationToken,
  what = 'verification token',
): void {
  same(actual && tokenOf(actual), tokenOf(expected), what);
}

function userOf({ id, name, email, emailVerified, image }: AdapterUser): unknown {
  return { id, name, email, emailVerified, image };
}

function sessionOf({ sessionToken, userId, expires }: AdapterSession): unknown {
  return { sessionToken, userId, expires };
}

function tokenOf({ identifier, token, expires }: VerificationToken): unknown {
  return { identifier, token, expires };
}

/** Well-formed JSON of plain data; a date that is one and a text that looks like one differ. */
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

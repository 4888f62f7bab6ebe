import { defaults } from '../../config/defaults.ts';
import { equal } from '../../crypto/bytes.ts';
import { sha256Hex } from '../../crypto/hash.ts';
import { requireMethod } from '../../store/methods.ts';
import type { Store } from '../../store/store.ts';
import type { VerificationToken } from '../../types/adapter.ts';
import { hashesOf, type Link, type Mailer, takeRow } from './store.ts';

const DIGITS = 8;
/** The largest multiple of 10^8 that 32 bits can hold. Random numbers from here on would make some codes likelier. */
const LIMIT = 42 * 10 ** DIGITS;

/** Returns a random code of eight digits. */
export function newCode(): string {
  for (;;) {
    const [number = LIMIT] = crypto.getRandomValues(new Uint32Array(1));
    if (number < LIMIT) return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
  }
}

/**
 * Returns the typed code without spaces and hyphens.
 *
 * @returns `undefined` if it cannot be a code.
 */
export function readCode(typed: unknown): string | undefined {
  if (typeof typed !== 'string' || typed.length > 64) return undefined;
  const digits = typed.normalize('NFKC').replace(/[\s\p{Pd}]/gu, '');
  return /^[0-9]{8}$/.test(digits) ? digits : undefined;
}

/** One attempt to type the code of a mail. */
export interface Attempt {
  /** How many attempts are left, with this one. */
  readonly left: number;
  /** Hash under which the token of the mail is stored. */
  readonly hash: string;
  readonly identifier: string;
  readonly expires: Date;
}

/** Returns the attempts for the code of a new mail. `row` is the stored token of its link. */
export function allAttempts({ identifier, token, expires }: VerificationToken): Attempt {
  return { left: defaults.email.codeAttempts, hash: token, identifier, expires };
}

/**
 * Stores how many attempts are left, as a second verification token of the address. Its hash derives from that of the
 * mailed token, so that it needs no table of its own. The mailed token itself cannot be derived from it.
 */
export async function storeAttempt(store: Store, { left, hash, identifier, expires }: Attempt): Promise<void> {
  const token = await attemptHash(hash, left);
  await requireMethod(store, 'createVerificationToken')({ identifier, token, expires });
}

/**
 * Takes one attempt out of the store, before the code is compared. The row exists once, so of simultaneous attempts one
 * finds it, and the others are refused.
 *
 * @returns `undefined` if no attempt is left.
 */
export async function takeAttempt(
  store: Store,
  link: Link & { readonly email: string },
  mailer: Mailer,
): Promise<Attempt | undefined> {
  for await (const hash of hashesOf(link, mailer)) {
    const attempt = await takeAttemptOf(store, link.email, hash);
    if (attempt) return attempt;
  }
  return undefined;
}

/**
 * Takes one attempt for the code of a stored token.
 *
 * @param hash Hash under which the token is stored.
 * @returns `undefined` if no attempt is left.
 */
export async function takeAttemptOf(store: Store, identifier: string, hash: string): Promise<Attempt | undefined> {
  for (let left: number = defaults.email.codeAttempts; left > 0; left--) {
    const row = await takeRow(store, identifier, await attemptHash(hash, left));
    if (row) return { left, hash, identifier, expires: row.expires };
  }
  return undefined;
}

/** A code that was typed, and the one that was mailed. */
export interface TypedCode {
  readonly typed: string;
  readonly mailed: string;
}

/**
 * Compares a typed code, after its attempt was taken out of the store. A wrong code puts back one attempt less.
 *
 * @returns How many attempts are left; `undefined` if the code is right.
 */
export async function attemptsAfter(
  store: Store,
  attempt: Attempt,
  { typed, mailed }: TypedCode,
): Promise<number | undefined> {
  if (equal(typed, mailed)) return undefined;
  const left = attempt.left - 1;
  if (left > 0) await storeAttempt(store, { ...attempt, left });
  return left;
}

function attemptHash(hash: string, left: number): Promise<string> {
  return sha256Hex(JSON.stringify(['attempt', hash, left]));
}

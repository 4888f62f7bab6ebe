import type { Fields } from '../context.ts';
import type { CredentialsConfig } from '../providers/credentials.ts';

/** Characters of an identifier that count; the rest of a longer one does not make it another. */
const LONGEST = 1024;
/** What stores and people pass over: blanks, controls, and characters that nobody sees (UAX #44). */
const UNSEEN = /[\s\p{C}\p{Default_Ignorable_Code_Point}]+/gu;
/** Accents and the like: many a database takes `é` for `e` when it compares. */
const MARKS = /\p{M}+/gu;

/**
 * The form of an identifier in which it is counted. Coarser than any comparison that a store might make (NFKC, case, blanks, accents,
 * characters that nobody sees): else each spelling that the store takes for the same would be another twenty guesses. That two people
 * share a counter now and then does little harm.
 */
export function countedForm(identifier: string): string {
  const seen = identifier.replace(UNSEEN, '').slice(0, LONGEST);
  // Upper case at last: ß meets SS there, and ς meets Σ.
  const folded = seen.normalize('NFKD').toLowerCase().toUpperCase().normalize('NFKD');
  return folded.replace(MARKS, '').replace(UNSEEN, '').normalize('NFKC') || seen;
}

/**
 * The form of an address in which mails to it are counted: as {@link countedForm}, without what mailbox providers pass over in the part
 * before the `@` (what follows a `+`, and dots).
 */
export function mailboxOf(address: string): string {
  const form = countedForm(address);
  const at = form.lastIndexOf('@');
  if (at < 0) return form;
  const local = form.slice(0, at);
  const mailbox = (local.split('+')[0] ?? '').replaceAll('.', '');
  return (mailbox || local) + form.slice(at);
}

/** Names of fields that say who somebody is, without `-` and `_`, in lower case. No other is guessed: a constant would block everybody. */
const WHO: ReadonlySet<string> = new Set([
  'username',
  'user',
  'userid',
  'login',
  'email',
  'emailaddress',
  'mail',
  'identifier',
  'phone',
  'phonenumber',
  'mobile',
  'account',
  'name',
  'id',
]);
/** Inputs that somebody types a name into. Left out: `password`, `hidden`, `checkbox`, … */
const TYPED: ReadonlySet<unknown> = new Set([undefined, 'text', 'email', 'tel', 'number', 'search', 'url']);

/** Names of what somebody knows or has: another value at each try, and nothing to be kept, not even as an HMAC. */
const WHAT = /pass|pwd|pin|secret|code|otp|token|key|sign|message|nonce|challenge/i;

/**
 * Whose credentials these are, in their counted forms. Every field with a usual name counts by itself, declared or not: one more field,
 * with another value at each try, must not make a new counter out of an old one.
 */
export function identifiersOf({ credentials }: CredentialsConfig, fields: Fields): readonly string[] {
  const declared = Object.entries(credentials ?? {});
  const usual = declared.some(([name]) => isUsual(name));
  const first = usual ? undefined : declared.find(([name, input]) => TYPED.has(input?.type) && !WHAT.test(name))?.[0];
  const values = Object.entries(fields).filter(([name]) => isUsual(name) || name === first);
  return [...new Set(values.map(([, value]) => countedForm(textOf(value))))].filter((form) => form !== '');
}

function isUsual(name: string): boolean {
  return WHO.has(name.replace(/[-_]/g, '').toLowerCase());
}

/** As an application's own `String(value)` or template would read it: `["ada"]` is `ada`. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  try {
    return String(value);
  } catch {
    // An object of a JSON body with a member `toString`.
    return JSON.stringify(value);
  }
}

import type { Fields } from '../context.ts';
import type { CredentialsConfig } from '../providers/credentials.ts';

/**
 * Usual names of fields that identify a user, in lower case without `-` and `_`. Other fields could be constants, which
 * would block all users.
 */
const USUAL_NAMES: ReadonlySet<string> = new Set([
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
/** Those of the usual names whose value is a phone number. */
const PHONE_NAMES: ReadonlySet<string> = new Set(['phone', 'phonenumber', 'mobile']);
/** Types of inputs that hold typed text, unlike `password`, `hidden` or `checkbox`. */
const TEXT_TYPES: ReadonlySet<unknown> = new Set([undefined, 'text', 'email', 'tel', 'number', 'search', 'url']);
/**
 * Names of fields that hold a secret. Each attempt has another value, and a secret must not be stored, not even hashed.
 */
const SECRET_NAME = /pass|pwd|pin|secret|code|otp|token|key|sign|message|nonce|challenge/i;
/**
 * Identifiers that one form may have, unless its provider declares more such fields: for example name, address, phone
 * number and account.
 */
const MOST_IDENTIFIERS = 4;
/** Characters of an identifier at most. No name is longer, and to fold a longer one takes time. */
const LONGEST_IDENTIFIER = 4096;

/**
 * Returns the identifiers in a form with credentials, in their counted form. Each field with a usual name counts by
 * itself, declared or not, because `authorize` gets all of them. Otherwise an attacker could add a field with another
 * value to each attempt.
 *
 * @returns `undefined` if an identifier has more than 4096 characters. Also if the form has more identifiers than a
 * form of the application: it would block many users at once.
 */
export function identifiersOf({ credentials }: CredentialsConfig, fields: Fields): readonly string[] | undefined {
  const declared = Object.entries(credentials ?? {});
  const usual = declared.filter(([name]) => isUsual(name)).length;
  const first = declared.find(([name, input]) => TEXT_TYPES.has(input?.type) && !SECRET_NAME.test(name))?.[0];
  const named = Object.entries(fields).filter(([name]) => isUsual(name) || (usual === 0 && name === first));
  // Checked before the values are read: a body can have very many fields.
  if (named.length > Math.max(USUAL_NAMES.size, usual)) return undefined;
  const typed = named.map(([name, value]) => [name, textOf(value)] as const);
  if (typed.some(([, text]) => text.length > LONGEST_IDENTIFIER)) return undefined;
  const identifiers = new Set(
    typed.map(([name, text]) => {
      const isPhone = PHONE_NAMES.has(plain(name)) || credentials?.[name]?.type === 'tel';
      return isPhone ? phoneOf(text) : mailboxOf(text);
    }),
  );
  identifiers.delete('');
  return identifiers.size > Math.max(MOST_IDENTIFIERS, usual) ? undefined : [...identifiers];
}

function isUsual(name: string): boolean {
  return USUAL_NAMES.has(plain(name));
}

function plain(name: string): string {
  return name.replace(/[-_]/g, '').toLowerCase();
}

/** Returns a value as `String(value)` does, as many applications read it: `["ada"]` becomes `ada`. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  try {
    return String(value);
  } catch {
    // An object of a JSON body has a member `toString` that is not a function.
    return JSON.stringify(value);
  }
}

/** Characters of an identifier that count. */
const LONGEST = 1024;

/** Returns the form of a text in which it is counted: without spaces at its ends, NFKC (UAX #15), and case-folded. */
export function textForm(text: string): string {
  const normalized = text.trim().slice(0, LONGEST).normalize('NFKC').trim();
  // Through upper case: only there `ß` is equal to `SS`, and `ẞ` becomes `ß` only in lower case.
  return normalized.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}

/**
 * Returns the form of an email address in which it is counted. This is its {@link textForm} without the parts before
 * the `@` that many mail servers ignore: dots, and everything after a `+`. A text without `@` counts as a text.
 */
export function mailboxOf(address: string): string {
  const form = textForm(address);
  const at = form.lastIndexOf('@');
  if (at < 0) return form;
  const local = form.slice(0, at);
  const mailbox = local.replace(/\+.*/s, '').replaceAll('.', '');
  return (mailbox || local) + form.slice(at);
}

/** Returns the form of a phone number in which it is counted: its digits. A text without digits counts as a text. */
export function phoneOf(typed: string): string {
  const form = textForm(typed);
  return form.replace(/\D+/g, '') || form;
}

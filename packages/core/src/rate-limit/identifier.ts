import type { Fields } from '../context.ts';
import type { CredentialsConfig } from '../providers/credentials.ts';
import { nameOf, phoneOf } from './spelling.ts';

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
/** Those of them that say it by a phone number. */
const PHONE: ReadonlySet<string> = new Set(['phone', 'phonenumber', 'mobile']);
/** Inputs that somebody types a name into. Left out: `password`, `hidden`, `checkbox`, … */
const TYPED: ReadonlySet<unknown> = new Set([undefined, 'text', 'email', 'tel', 'number', 'search', 'url']);

/** Names of what somebody knows or has: another value at each try, and nothing to be kept, not even as an HMAC. */
const WHAT = /pass|pwd|pin|secret|code|otp|token|key|sign|message|nonce|challenge/i;

/** How many people one form may name, unless its provider declares more such fields: there is a name, an address, a number, an account. */
const MOST = 4;

/**
 * Whose credentials these are, in their counted forms. Every field with a usual name counts by itself, declared or not, since `authorize`
 * is given all of them: one more field, with another value at each try, must not make a new counter out of an old one.
 *
 * @returns `undefined` when these are more people than one form names: somebody would use up the places of many others at once.
 */
export function identifiersOf({ credentials }: CredentialsConfig, fields: Fields): readonly string[] | undefined {
  const declared = Object.entries(credentials ?? {});
  const usual = declared.filter(([name]) => isUsual(name)).length;
  const first =
    usual > 0 ? undefined : declared.find(([name, input]) => TYPED.has(input?.type) && !WHAT.test(name))?.[0];
  const named = Object.entries(fields).filter(([name]) => isUsual(name) || name === first);
  // Nobody has more fields than there are names for them: this many are not even read.
  if (named.length > Math.max(WHO.size, usual)) return undefined;
  const people = new Map<string, readonly string[]>();
  for (const [name, value] of named) {
    const isPhone = PHONE.has(plain(name)) || credentials?.[name]?.type === 'tel';
    const forms = formsOf(textOf(value), isPhone);
    if (forms.length > 0) people.set(forms.join(' '), forms);
  }
  if (people.size > Math.max(MOST, usual)) return undefined;
  return [...new Set([...people.values()].flat())];
}

function formsOf(typed: string, isPhone: boolean): readonly string[] {
  return (isPhone ? phoneOf(typed) : [nameOf(typed)]).filter((form) => form !== '');
}

function isUsual(name: string): boolean {
  return WHO.has(plain(name));
}

function plain(name: string): string {
  return name.replace(/[-_]/g, '').toLowerCase();
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

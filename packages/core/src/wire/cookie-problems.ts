import type { CookieSerializeOptions, CookiesOptions } from '../types.ts';
import { serializeCookie } from './cookie.ts';
import { type CookieTable, cookieNames } from './cookie-table.ts';

/**
 * What browsers, or the grammar of the header, will not accept in a table (RFC 6265bis §4.1.3, §5.7). Each text ends with
 * its remedy.
 */
export function cookieProblems(table: CookieTable): string[] {
  return KEYS.flatMap((key) => {
    const { name, options } = table[key];
    const found = [...RULES, sharedName(table)].flatMap((rule) => rule(name, options) ?? []);
    return found.map((text) => `cookies.${key} (${name}): ${text}`);
  });
}

const KEYS = Object.keys(cookieNames) as (keyof CookiesOptions)[];

type Rule = (name: string, options: CookieSerializeOptions) => string | undefined;

const RULES: readonly Rule[] = [
  (name, { domain }) =>
    isHost(name) && domain !== undefined
      ? 'browsers refuse a __Host- cookie with a Domain. Remove options.domain or choose a name that begins with __Secure-.'
      : undefined,
  (name, { path }) =>
    isHost(name) && path !== '/'
      ? "browsers refuse a __Host- cookie for a part of the site. Set options.path to '/' or choose a name that begins with __Secure-."
      : undefined,
  (name, { secure }) =>
    /^__(?:host|secure)-/i.test(name) && secure !== true
      ? 'browsers refuse a cookie of this prefix without Secure. Set options.secure to true or choose a name without the prefix.'
      : undefined,
  (_, { sameSite, secure }) =>
    String(sameSite).toLowerCase() === 'none' && secure !== true
      ? "browsers refuse SameSite=None without Secure. Set options.secure to true or options.sameSite to 'lax'."
      : undefined,
  (_, { partitioned, secure }) =>
    partitioned === true && secure !== true
      ? 'browsers refuse Partitioned without Secure. Set options.secure to true or remove options.partitioned.'
      : undefined,
  (name, options) => {
    try {
      serializeCookie({ name, value: '', options });
      return undefined;
    } catch (error) {
      return `${(error as Error).message}. Use what RFC 6265 §4.1.1 allows.`;
    }
  },
];

/** The name is the salt: two cookies of one name could be taken for one another. */
function sharedName(table: CookieTable): Rule {
  return (name) =>
    KEYS.filter((key) => table[key].name === name).length > 1
      ? 'two of the cookies have this name. Give each a name of its own.'
      : undefined;
}

function isHost(name: string): boolean {
  return /^__host-/i.test(name);
}

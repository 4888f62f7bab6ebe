import type { CookieOption, CookieSerializeOptions, CookiesOptions, Optional } from '../types.ts';
import { serializeCookie } from './cookie.ts';

/** What our cookies are called; `__Secure-` (`__Host-` for the CSRF token) goes before it on https. */
export const cookieNames: Readonly<Record<keyof CookiesOptions, string>> = {
  sessionToken: 'authjs.session-token',
  callbackUrl: 'authjs.callback-url',
  csrfToken: 'authjs.csrf-token',
  pkceCodeVerifier: 'authjs.pkce.code_verifier',
  state: 'authjs.state',
  nonce: 'authjs.nonce',
  webauthnChallenge: 'authjs.challenge',
};

/** Name and attributes of each of our cookies, complete and frozen. */
export interface CookieTable extends Readonly<Record<keyof CookiesOptions, CookieOption>> {}

/** What an application may change: of each cookie the name, and any of the attributes. */
export type CookieOverrides = Optional<CookiesOptions>;

/** Attributes that some of the cookies have beside the common ones. `maxAge` in seconds. */
const SPECIAL: Partial<Record<keyof CookiesOptions, CookieSerializeOptions>> = {
  pkceCodeVerifier: { maxAge: 15 * 60 },
  state: { maxAge: 15 * 60 },
  // The nonce has only the `Expires` that sealing adds, as everywhere in the family.
  webauthnChallenge: { maxAge: 15 * 60 },
};

/**
 * The cookies for one mode.
 *
 * @param secure The visitor comes by https: prefixed names, `Secure`.
 * @param overrides Laid over the table: a name replaces, attributes are merged one by one, `undefined` changes nothing.
 */
export function cookieTable(secure: boolean, overrides: CookieOverrides = {}): CookieTable {
  const table = {} as Record<keyof CookiesOptions, CookieOption>;
  for (const key of KEYS) {
    const over = overrides[key];
    const common: CookieSerializeOptions = { httpOnly: true, sameSite: 'lax', path: '/', secure };
    table[key] = Object.freeze({
      name: over?.name ?? prefixOf(key, secure) + cookieNames[key],
      options: Object.freeze({ ...common, ...SPECIAL[key], ...defined(over?.options) }),
    });
  }
  return Object.freeze(table);
}

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

function prefixOf(key: keyof CookiesOptions, secure: boolean): string {
  if (!secure) return '';
  return key === 'csrfToken' ? '__Host-' : '__Secure-';
}

function defined(options: CookieSerializeOptions = {}): CookieSerializeOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

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

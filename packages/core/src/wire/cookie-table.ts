import type { CookieOption, CookieSerializeOptions, CookiesOptions, Optional } from '../types.ts';

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

const KEYS = Object.keys(cookieNames) as (keyof CookiesOptions)[];

function prefixOf(key: keyof CookiesOptions, secure: boolean): string {
  if (!secure) return '';
  return key === 'csrfToken' ? '__Host-' : '__Secure-';
}

function defined(options: CookieSerializeOptions = {}): CookieSerializeOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

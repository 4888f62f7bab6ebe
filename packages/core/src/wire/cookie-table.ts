import type { CookieOption, CookieSerializeOptions, CookiesOptions } from '../types/config.ts';
import type { Optional } from '../types/user.ts';

/** The names of the cookies. With https they get the prefix `__Secure-`, or `__Host-` (see `HOST_ONLY`). */
export const cookieNames: Readonly<Record<keyof CookiesOptions, string>> = {
  sessionToken: 'authjs.session-token',
  callbackUrl: 'authjs.callback-url',
  csrfToken: 'authjs.csrf-token',
  pkceCodeVerifier: 'authjs.pkce.code_verifier',
  state: 'authjs.state',
  nonce: 'authjs.nonce',
  webauthnChallenge: 'authjs.challenge',
  mail: 'authjs.mail',
};

/** The cookies by their names in the option `cookies`. */
export const cookieKeys: readonly (keyof CookiesOptions)[] = Object.keys(cookieNames) as (keyof CookiesOptions)[];

/** Name and attributes of each cookie. Complete and frozen. */
export interface CookieTable extends Readonly<Record<keyof CookiesOptions, CookieOption>> {}

/** Names and attributes that an application changes. */
export type CookieOverrides = Optional<CookiesOptions>;

/** Further attributes of some cookies. `maxAge` is in seconds: `limits.flowAge`, which this room may not import. */
const SPECIAL: Partial<Record<keyof CookiesOptions, CookieSerializeOptions>> = {
  pkceCodeVerifier: { maxAge: 15 * 60 },
  state: { maxAge: 15 * 60 },
  // As in Auth.js v5, the nonce has no `Max-Age`; sealing adds `Expires`. That of a mail depends on its provider.
  webauthnChallenge: { maxAge: 15 * 60 },
};

/**
 * Returns the names and attributes of all cookies.
 *
 * @param secure Whether the application uses https: names with a prefix, attribute `Secure`.
 * @param overrides Replace names and single attributes. `undefined` changes nothing.
 */
export function cookieTable(secure: boolean, overrides: CookieOverrides = {}): CookieTable {
  const table = {} as Record<keyof CookiesOptions, CookieOption>;
  for (const key of cookieKeys) {
    const over = overrides[key];
    const common: CookieSerializeOptions = { httpOnly: true, sameSite: 'lax', path: '/', secure };
    table[key] = Object.freeze({
      name: over?.name ?? prefixOf(key, secure) + cookieNames[key],
      options: Object.freeze({ ...common, ...SPECIAL[key], ...defined(over?.options) }),
    });
  }
  return Object.freeze(table);
}

function prefixOf(key: keyof CookiesOptions, secure: boolean): string {
  if (!secure) return '';
  return HOST_ONLY.has(key) ? '__Host-' : '__Secure-';
}

/** Cookies that a subdomain must not be able to plant. The others have the prefix of Auth.js v5. */
const HOST_ONLY: ReadonlySet<keyof CookiesOptions> = new Set(['csrfToken', 'mail']);

function defined(options: CookieSerializeOptions = {}): CookieSerializeOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

import type {
  CookieMigration,
  CookieOption,
  CookiePrefixOptions,
  CookieSerializeOptions,
  CookiesOptions,
} from '../types/config.ts';
import type { Optional } from '../types/user.ts';

/** The names of the cookies. With https they get the prefix `__Secure-` or `__Host-`, see {@link cookieTable}. */
export const cookieNames: Readonly<Record<keyof CookiesOptions, string>> = {
  sessionToken: 'authjs.session-token',
  callbackUrl: 'authjs.callback-url',
  csrfToken: 'authjs.csrf-token',
  pkceCodeVerifier: 'authjs.pkce.code_verifier',
  state: 'authjs.state',
  nonce: 'authjs.nonce',
  webauthnChallenge: 'authjs.challenge',
  mail: 'authjs.mail',
  recent: 'authjs.recent',
  address: 'authjs.address',
  offer: 'authjs.offer',
  tokens: 'authjs.tokens',
};

/** The cookies by their names in the option `cookies`. */
export const cookieKeys: readonly (keyof CookiesOptions)[] = Object.keys(cookieNames) as (keyof CookiesOptions)[];

/** A cookie of the table. Its `name` is the one that is written. */
export interface TableCookie extends CookieOption {
  /**
   * While the cookie changes its name: both names, under which it is read and cleared. The first that the request has
   * takes precedence. Default: only `name`.
   */
  readonly names?: readonly string[];
}

/** Names and attributes of each cookie. Complete and frozen. */
export interface CookieTable extends Readonly<Record<keyof CookiesOptions, TableCookie>> {}

/** Names and attributes that an application changes. */
export type CookieOverrides = Optional<CookiesOptions> & CookiePrefixOptions;

/**
 * The part of a migration to prefixed names. `before`: both names are read, the old ones written. `during`: both are
 * read, the new ones written. `after`: only the new names count.
 */
export type MigrationPhase = 'before' | 'during' | 'after';

/** Returns the phase of an instant. Without a migration it is `after`. */
export function migrationPhase(migration: CookieMigration | undefined, now: Date): MigrationPhase {
  if (!migration || now >= migration.until) return 'after';
  return now < migration.from ? 'before' : 'during';
}

/** Further attributes of some cookies. `maxAge` is in seconds: those of `limits`, which this room may not import. */
const SPECIAL: Partial<Record<keyof CookiesOptions, CookieSerializeOptions>> = {
  pkceCodeVerifier: { maxAge: 15 * 60 },
  state: { maxAge: 15 * 60 },
  // As in Auth.js v5, the nonce has no `Max-Age`; sealing adds `Expires`, also to `mail` and `recent`.
  webauthnChallenge: { maxAge: 15 * 60 },
  offer: { maxAge: 10 * 60 },
};

/**
 * Returns the names and attributes of all cookies.
 *
 * @param secure Whether the application uses https: names with a prefix, attribute `Secure`.
 * @param overrides Replace names and single attributes. `undefined` changes nothing.
 * @param phase With `overrides.prefix`: which names count.
 */
export function cookieTable(
  secure: boolean,
  overrides: CookieOverrides = {},
  phase: MigrationPhase = 'after',
): CookieTable {
  const table = {} as Record<keyof CookiesOptions, TableCookie>;
  for (const key of cookieKeys) {
    const over = overrides[key];
    const own = over?.name ?? undefined;
    const common: CookieSerializeOptions = { httpOnly: true, sameSite: 'lax', path: '/', secure };
    table[key] = Object.freeze({
      ...(own === undefined ? namesOf(key, secure, overrides.prefix, phase) : { name: own }),
      options: Object.freeze({ ...common, ...SPECIAL[key], ...defined(over?.options) }),
    });
  }
  return Object.freeze(table);
}

function namesOf(
  key: keyof CookiesOptions,
  secure: boolean,
  prefix: string | undefined,
  phase: MigrationPhase,
): Pick<TableCookie, 'name' | 'names'> {
  const plain = cookieNames[key];
  if (!secure) return { name: plain };
  const usual = (HOST_ONLY.has(key) ? '__Host-' : '__Secure-') + plain;
  const prefixed = prefix === undefined ? usual : prefix + plain;
  if (phase === 'after' || prefixed === usual) return { name: prefixed };
  return { name: phase === 'before' ? usual : prefixed, names: [prefixed, usual] };
}

/** Cookies that a subdomain must not be able to plant. The others have the prefix of Auth.js v5. */
const HOST_ONLY: ReadonlySet<keyof CookiesOptions> = new Set([
  'csrfToken',
  'mail',
  'recent',
  'address',
  'offer',
  'tokens',
]);

function defined(options: CookieSerializeOptions = {}): CookieSerializeOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

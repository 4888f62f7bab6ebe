import type { Settings } from '../config/settings.ts';
import { chain } from '../crypto/chain.ts';
import { equal } from '../crypto/equal.ts';
import { sha256Hex } from '../crypto/hash.ts';
import { randomHex } from '../crypto/random.ts';
import type { Awaitable, Cookie, CookieOption } from '../types.ts';

/** The CSRF token of a browser: kept in its cookie, and repeated in the body of every form (double submit). */
export interface Csrf {
  readonly token: string;
  /** Sets the cookie, when the request had none of ours. */
  readonly cookie: Cookie | undefined;
}

const TOKEN_BYTES = 32;

/**
 * Reads the token of the cookie `token|hash`, or makes a new one. The hash (SHA-256 of token and secret) shows that the
 * cookie is ours.
 *
 * @param settings The newest secret makes the hash; accepted are those of all `secretForms`.
 */
export function readCsrf(
  cookies: Readonly<Record<string, string>>,
  option: CookieOption,
  { secrets, secretForms }: Pick<Settings, 'secrets' | 'secretForms'>,
): Awaitable<Csrf> {
  const [token = '', hash = ''] = cookies[option.name]?.split('|') ?? [];
  const found = token !== '' && isOurs(token, hash, secretForms);
  return chain(found, (ours) => (ours ? { token, cookie: undefined } : freshCsrf(option, secrets[0] ?? '')));
}

function freshCsrf({ name, options }: CookieOption, secret: string): Awaitable<Csrf> {
  const token = randomHex(TOKEN_BYTES);
  return chain(sha256Hex(token + secret), (hash) => ({ token, cookie: { name, value: `${token}|${hash}`, options } }));
}

function isOurs(token: string, hash: string, forms: readonly string[], index = 0): Awaitable<boolean> {
  if (index === forms.length) return false;
  return chain(
    sha256Hex(token + forms[index]),
    (expected) => equal(hash, expected) || isOurs(token, hash, forms, index + 1),
  );
}

/** Where a request says it comes from. */
export interface RequestSite {
  /** `Sec-Fetch-Site`. */
  readonly site: string | undefined;
  /** `Origin`. */
  readonly from: string | undefined;
  /** Ours. */
  readonly origin: string;
}

/**
 * The second line behind the token: may a form come from there? Browsers tell by Fetch Metadata, older ones by `Origin`;
 * clients that send neither have the token alone.
 */
export function comesFromUs({ site, from, origin }: RequestSite): boolean {
  if (site !== undefined) return site !== 'cross-site';
  if (from === undefined || from === 'null') return true;
  return URL.canParse(from) && new URL(from).host === new URL(origin).host;
}

/**
 * The only line where no token is asked for, and so a stricter one: nothing of a sibling's or of nobody's (`Origin: null`) passes.
 * Clients that send neither header are no browsers, and carry nobody's cookies.
 */
export function isSameOrigin({ site, from, origin }: RequestSite): boolean {
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return from === undefined || (URL.canParse(from) && new URL(from).host === new URL(origin).host);
}

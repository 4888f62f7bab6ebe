import type { Settings } from '../config/settings.ts';
import { equal } from '../crypto/equal.ts';
import { sha256Hex } from '../crypto/hash.ts';
import { randomHex } from '../crypto/random.ts';
import type { Cookie, CookieOption } from '../types.ts';

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
export async function readCsrf(
  cookies: Readonly<Record<string, string>>,
  option: CookieOption,
  { secrets, secretForms }: Pick<Settings, 'secrets' | 'secretForms'>,
): Promise<Csrf> {
  const [token = '', hash = ''] = (cookies[option.name] ?? '').split('|');
  if (token !== '' && (await isOurs(token, hash, secretForms))) return { token, cookie: undefined };
  const fresh = randomHex(TOKEN_BYTES);
  const value = `${fresh}|${await sha256Hex(fresh + (secrets[0] ?? ''))}`;
  return { token: fresh, cookie: { name: option.name, value, options: option.options } };
}

async function isOurs(token: string, hash: string, forms: readonly string[]): Promise<boolean> {
  for (const secret of forms) {
    if (equal(hash, await sha256Hex(token + secret))) return true;
  }
  return false;
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

import { chain } from '../chain.ts';
import type { Settings } from '../config/settings.ts';
import { equal } from '../crypto/equal.ts';
import { randomHex } from '../crypto/random.ts';
import { sha256Hex } from '../crypto/sha256-hex.ts';
import type { Awaitable, Cookie, CookieOption } from '../types.ts';

/** The CSRF token of a browser: kept in its cookie, and repeated in the body of every form (double submit). */
export interface Csrf {
  readonly token: string;
  /** Did the request bring it, in a cookie of ours? */
  readonly isBrought: boolean;
  /** Sets the cookie, when the request had none of ours, or one that an older secret has made. */
  readonly cookie: Cookie | undefined;
}

const TOKEN_BYTES = 32;

/**
 * Reads the token of the cookie `token|hash`, or makes a new one. The hash (SHA-256 of token and secret) shows that the
 * cookie is ours. One of an older secret is made anew for the same token, as sessions are: else that secret could never be
 * dropped without breaking the forms that are open.
 *
 * @param settings The newest secret makes the hash; accepted are those of all `secretForms`.
 */
export function readCsrf(
  cookies: Readonly<Record<string, string>>,
  option: CookieOption,
  { secrets, secretForms }: Pick<Settings, 'secrets' | 'secretForms'>,
): Awaitable<Csrf> {
  const cookie = cookies[option.name] ?? '';
  const bar = cookie.indexOf('|');
  const token = bar === -1 ? '' : cookie.slice(0, bar);
  const found = token === '' ? undefined : formOf(token, cookie.slice(bar + 1), secretForms);
  return chain(found, (form): Awaitable<Csrf> => {
    const newest = secrets[0] ?? '';
    if (form === undefined) return issued(option, randomHex(TOKEN_BYTES), false, newest);
    // Hashes of joined lists are left alone: another member of the family that serves the same site may know no others.
    const isOlder = form !== newest && secrets.includes(form);
    return isOlder ? issued(option, token, true, newest) : { token, isBrought: true, cookie: undefined };
  });
}

function issued({ name, options }: CookieOption, token: string, isBrought: boolean, secret: string): Awaitable<Csrf> {
  return chain(sha256Hex(token + secret), (hash) => ({
    token,
    isBrought,
    cookie: { name, value: `${token}|${hash}`, options },
  }));
}

/** What the hash was made with. */
function formOf(token: string, hash: string, forms: readonly string[], index = 0): Awaitable<string | undefined> {
  const form = forms[index];
  if (form === undefined) return undefined;
  return chain(sha256Hex(token + form), (expected) =>
    equal(hash, expected) ? form : formOf(token, hash, forms, index + 1),
  );
}

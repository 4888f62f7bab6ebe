import type { Settings } from '../config/settings.ts';
import type { BrowserToken, Context, RoutedRequest } from '../context.ts';
import { equal, randomHex } from '../crypto/bytes.ts';
import { sha256Hex } from '../crypto/hash.ts';
import { skipCSRFCheck } from '../symbols.ts';
import type { FormRefusal } from '../types/cause.ts';
import type { Cookie, CookieOption } from '../types/config.ts';
import { repeatedCookies } from '../wire/cookie.ts';
import { isFromOrigin, isFromSite } from './origin.ts';

/** Bytes of the beginning of a token, which tells browsers apart. In hexadecimal, they are twice as many characters. */
const ID_BYTES = 11;

/** Bytes of the rest, which another site would have to guess. */
const REST_BYTES = 21;

/**
 * Reads the CSRF token from the cookie `token|hash`, or makes a new one (double submit: the form repeats the token in
 * its body). The hash, SHA-256 of token and secret, proves that this site has set the cookie. If an older secret made
 * the hash, the cookie is set again for the same token. Otherwise forms that are open would fail when the old secret is
 * removed.
 *
 * @param header The `Cookie` header. If the first of several CSRF cookies is not valid, the others are tried.
 * @param settings The newest secret makes the hash; hashes of all `secretForms` are accepted.
 */
export async function readCsrfCookie(
  cookies: Readonly<Record<string, string>>,
  header: string | undefined,
  option: CookieOption,
  settings: Pick<Settings, 'secrets' | 'secretForms'>,
): Promise<BrowserToken> {
  const first = cookies[option.name];
  const brought =
    first === undefined
      ? undefined
      : ((await opened(first, option, settings)) ?? (await openedOfOthers(first, header, option, settings)));
  if (brought) return brought;
  const token = randomHex(ID_BYTES + REST_BYTES);
  return { token, id: idOf(token), isBrought: false, cookie: await cookieOf(option, token, settings) };
}

/** Without https, another site can set a cookie of the same name, which may come first. */
async function openedOfOthers(
  first: string,
  header: string | undefined,
  option: CookieOption,
  settings: Pick<Settings, 'secrets' | 'secretForms'>,
): Promise<BrowserToken | undefined> {
  for (const value of repeatedCookies(header, option.name).get(option.name) ?? []) {
    const brought = value === first ? undefined : await opened(value, option, settings);
    if (brought) return brought;
  }
  return undefined;
}

async function opened(
  value: string,
  option: CookieOption,
  settings: Pick<Settings, 'secrets' | 'secretForms'>,
): Promise<BrowserToken | undefined> {
  const { secrets, secretForms } = settings;
  const bar = value.indexOf('|');
  const token = bar === -1 ? '' : value.slice(0, bar);
  const form = token === '' ? undefined : await secretOfHash(token, value.slice(bar + 1), secretForms);
  if (form === undefined) return undefined;
  // Hashes of joined lists stay: an Auth.js v5 that serves the same site may accept no others.
  const isOlder = form !== secrets[0] && secrets.includes(form);
  const cookie = isOlder ? await cookieOf(option, token, settings) : undefined;
  return { token, id: idOf(token), isBrought: true, cookie };
}

/**
 * Returns the cookie with a new token, for a browser that signs in or out: a token that was known before is worthless
 * afterwards. Forms that are open in other tabs have to be loaded again. The beginning of the token stays, so that
 * sign-ins that other tabs have started can be finished. Empty if the request did not bring a token.
 */
export async function renewCsrfToken({ browser, cookieTable, settings }: Context): Promise<readonly Cookie[]> {
  if (browser?.isBrought !== true) return [];
  return [await cookieOf(cookieTable.csrfToken, browser.id + randomHex(REST_BYTES), settings)];
}

function idOf(token: string): string {
  return token.slice(0, 2 * ID_BYTES);
}

/** The hash is computed as in Auth.js v5, so that both can serve one site. */
async function cookieOf(
  { name, options }: CookieOption,
  token: string,
  { secrets }: Pick<Settings, 'secrets'>,
): Promise<Cookie> {
  return { name, value: `${token}|${await sha256Hex(token + (secrets[0] ?? ''))}`, options };
}

/** The secret that made the hash; `undefined` if none of them did. */
async function secretOfHash(token: string, hash: string, secrets: readonly string[]): Promise<string | undefined> {
  for (const secret of secrets) {
    if (equal(hash, await sha256Hex(token + secret))) return secret;
  }
  return undefined;
}

/**
 * Must forms carry a CSRF token? Not if the host framework or this library checks where they come from. A value of
 * `forms` that is not known demands the token.
 */
export function needsCsrfToken({ call: { forms }, settings }: RoutedRequest): boolean {
  if (forms === 'same-origin' || forms === 'host-checked') return false;
  return settings.config.skipCSRFCheck !== skipCSRFCheck;
}

/**
 * Returns why a form does not come from the site itself; `undefined` if it does. The body has to carry the token of the
 * browser's CSRF cookie, and the browser must not name another site as the form's origin. Always `undefined` if the
 * host framework checks that.
 */
export function formRefusal(context: Context): FormRefusal | undefined {
  if (!needsCsrfToken(context)) {
    return context.call.forms !== 'same-origin' || isFromOrigin(context) ? undefined : 'origin-mismatch';
  }
  if (context.browser?.isBrought !== true || context.body.csrfToken === undefined) return 'csrf-missing';
  if (!hasToken(context, context.browser.token)) return 'csrf-mismatch';
  return isFromSite(context) ? undefined : 'origin-mismatch';
}

function hasToken({ body }: Context, token: string): boolean {
  return typeof body.csrfToken === 'string' && equal(body.csrfToken, token);
}

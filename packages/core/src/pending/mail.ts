import { limits } from '../config/defaults.ts';
import type { Context } from '../context.ts';
import { equal } from '../crypto/bytes.ts';
import { sha256Base64Url } from '../crypto/hash.ts';
import { AuthError, EmailSignInError } from '../errors.ts';
import { isRecord } from '../plain-object.ts';
import type { Cookie } from '../types/config.ts';
import { isLoopback } from '../wire/bounded-fetch.ts';
import { expireCookie } from '../wire/cookie.ts';
import { openCookie, sealCookie } from '../wire/sealed-cookie.ts';
import { kinds, type PendingMail, type ResumedSignIn } from './kinds.ts';

const [part = 'mail'] = kinds.mail.cookies;

/**
 * Returns the mail that the browser has requested. Its cookie stays.
 *
 * @param provider Only a mail of this provider. Default: of any.
 * @returns `undefined` if the browser does not have a mail, or if its link has expired.
 */
export async function pendingMail(context: Context, provider?: string): Promise<PendingMail | undefined> {
  const { cookies, cookieTable, settings, now, browser } = context;
  const payload = await openCookie(cookies, cookieTable[part], { secrets: settings.sealingSecrets, now });
  const mail = payload && readMail(payload);
  // Without `__Host-`, another site can plant the cookie of its own registration, which the reader would complete.
  const id = payload?.['browser'];
  if (mail?.resume && !(typeof id === 'string' && browser && equal(id, browser.id))) return undefined;
  return provider === undefined || mail?.provider === provider ? mail : undefined;
}

function readMail(payload: Record<string, unknown>): PendingMail | undefined {
  const { provider, identifier, token, code, returnTo, sentAt, expires, isMasked, resume } = payload;
  if (typeof provider !== 'string' || typeof identifier !== 'string') return undefined;
  if (typeof sentAt !== 'number' || typeof expires !== 'number') return undefined;
  return {
    provider,
    identifier,
    token: textOf(token),
    code: textOf(code),
    returnTo: textOf(returnTo),
    sentAt,
    expires,
    isMasked: isMasked === true,
    resume: readResume(resume),
  };
}

function readResume(resume: unknown): ResumedSignIn | undefined {
  if (!isRecord(resume) || typeof resume['provider'] !== 'string') return undefined;
  const { provider, account, params, passkey } = resume;
  return {
    provider,
    account: textOf(account),
    params: textOf(params),
    passkey: isRecord(passkey) ? passkey : undefined,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/**
 * Returns the mark of the browser that requests a mail, for a link that signs in at once. A link that an attacker has
 * requested does not have the mark of the browser of another person.
 */
export async function requesterMark({ browser }: Context, token: string): Promise<string | undefined> {
  return browser && sha256Base64Url(JSON.stringify(['requester', browser.id, token]));
}

/** Has this browser requested the mail of a link that signs in at once? */
export async function isRequester(context: Context, mark: unknown, token: string): Promise<boolean> {
  const own = await requesterMark(context, token);
  return typeof mark === 'string' && own !== undefined && equal(mark, own);
}

/**
 * Returns the cookies for a mail that is sent. If it confirms an address, it is bound to the CSRF token. Where forms
 * carry no token, the browser does not have that cookie yet.
 *
 * @throws {AuthError} if the cookie would be too long, as {@link mailCookie} does.
 */
export async function mailCookies(context: Context, mail: PendingMail): Promise<readonly Cookie[]> {
  const token = mail.resume && context.browser?.cookie;
  return [...(token ? [token] : []), await mailCookie(context, mail)];
}

/**
 * Returns the cookie for a mail. It replaces the cookie of the mail before.
 *
 * @throws {AuthError} if the cookie would be too long, because the application's tokens are.
 * @throws {EmailSignInError} if it would be too long, because the passkey is.
 */
export async function mailCookie(context: Context, mail: PendingMail): Promise<Cookie> {
  const cookie = await sealed(context, mail);
  if (isShort(cookie)) return cookie;
  const shorter = await sealed(context, { ...mail, returnTo: undefined });
  if (isShort(shorter)) return shorter;
  if (mail.resume) {
    throw new EmailSignInError('the new passkey and its user are too long for a cookie', { provider: mail.provider });
  }
  throw new AuthError(
    'the token of a mailed link is too long for a cookie. Return at most 2000 characters from `generateVerificationToken`',
    { provider: mail.provider },
  );
}

function isShort({ name, value }: Cookie): boolean {
  return name.length + value.length <= limits.mailCookie;
}

async function sealed({ cookieTable, settings, now, browser }: Context, mail: PendingMail): Promise<Cookie> {
  const { name, options } = cookieTable[part];
  const maxAge = Math.ceil((mail.expires - now.getTime()) / 1000);
  const lasting = { ...options, maxAge: Math.min(options.maxAge ?? maxAge, maxAge) };
  const bound = mail.resume ? { ...mail, browser: browser?.id } : mail;
  return sealCookie({ name, options: lasting }, bound, { secrets: settings.sealingSecrets, maxAge, now });
}

/**
 * Returns whether another site may have planted the cookie of a mail in the browser. A neighboring subdomain can set
 * cookies without `__Host-`. On hosts of this machine it is not expected, so that links work during development.
 */
export function mayBePlanted({ cookieTable, url }: Context): boolean {
  return !cookieTable[part].name.startsWith('__Host-') && !isLoopback(url.hostname);
}

/** Returns the cookie that removes the pending mail from the browser. */
export function noMailCookie({ cookieTable }: Context): Cookie {
  return expireCookie(cookieTable[part]);
}

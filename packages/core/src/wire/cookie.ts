import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie';
import type { Cookie } from '../types.ts';

/** Longest `Cookie` header that is read, in characters. */
export const LONGEST_COOKIE_HEADER: number = 64 * 1024;

/**
 * The cookies of a request (RFC 6265 §4.2). Of equal names the first counts, which is the one with the longest path; values
 * are percent-decoded, or left as they are where that fails. Never throws.
 *
 * A header over {@link LONGEST_COOKIE_HEADER} is not read at all: the first half of a session would look like a bad one, and be
 * cleared.
 *
 * @returns an object without inherited members.
 */
export function parseCookies(header: string | undefined): Record<string, string> {
  if (!header || header.length > LONGEST_COOKIE_HEADER) return Object.create(null) as Record<string, string>;
  // Without a decoder of our own the library's values are never undefined.
  return parseCookie(header) as Record<string, string>;
}

/**
 * A cookie as the value of a `Set-Cookie` header; attributes in the order Max-Age, Domain, Path, Expires, HttpOnly, Secure,
 * Partitioned, Priority, SameSite.
 *
 * @throws {TypeError} when a name, value or attribute cannot stand in a header.
 */
export function serializeCookie({ name, value, options }: Cookie): string {
  const { encode, expires } = options;
  if (encode || (expires && !isWritable(expires))) return written({ name, value, options }, encode);
  const { lead, tail } = frameOf(name, options);
  // The library's own encoder leaves alone what need not be encoded; the family always encodes, and cookies are compared.
  const text = NEEDS_NO_CODE.test(value) ? value : encodeURIComponent(value);
  return `${name}=${text}${lead}${expires ? `; Expires=${dateText(expires)}` : ''}${tail}`;
}

const DATES_KEPT = 16;

/** Dates as headers write them, by the second: what is set in one second expires in one of few others. */
const dates = new Map<number, string>();

function dateText(date: Date): string {
  const second = Math.floor(date.getTime() / 1000);
  const known = dates.get(second);
  if (known !== undefined) return known;
  const text = date.toUTCString();
  if (dates.size >= DATES_KEPT) dates.clear();
  dates.set(second, text);
  return text;
}

/** Characters that `encodeURIComponent` leaves as they are. Our tokens, which are long, have no others. */
const NEEDS_NO_CODE = /^[\w.~-]*$/;

type Attributes = Cookie['options'];

/** What stands before and after `Expires`, which is another in each answer. */
interface Frame {
  readonly attributes: Attributes;
  readonly lead: string;
  readonly tail: string;
}

const NAMES_KEPT = 256;
const FRAMES_KEPT = 16;
const EPOCH = new Date(0);

/** By the cookie's name: it is set with the same attributes in every answer, or cleared with the same. */
const frames = new Map<string, readonly Frame[]>();

/** The attributes as the library writes and checks them, once. Comparing them costs less than a key made of their texts. */
function frameOf(name: string, options: Attributes): Frame {
  const known = frames.get(name) ?? [];
  for (const frame of known) if (isAlike(frame.attributes, options)) return frame;
  const text = written({ name, value: '', options: { ...options, expires: EPOCH } }, undefined);
  const [lead = '', tail = ''] = text.slice(name.length + 1).split(`; Expires=${EPOCH.toUTCString()}`);
  const frame: Frame = { attributes: { ...options }, lead, tail };
  if (frames.size >= NAMES_KEPT) frames.clear();
  frames.set(name, [frame, ...known.slice(0, FRAMES_KEPT - 1)]);
  return frame;
}

/** Are all attributes but `Expires` the same? */
function isAlike(a: Attributes, b: Attributes): boolean {
  return (
    a.maxAge === b.maxAge &&
    a.path === b.path &&
    a.domain === b.domain &&
    a.httpOnly === b.httpOnly &&
    a.secure === b.secure &&
    a.sameSite === b.sameSite &&
    a.partitioned === b.partitioned &&
    a.priority === b.priority
  );
}

function written({ name, value, options }: Cookie, encode: ((value: string) => string) | undefined): string {
  const { encode: _, ...attributes } = options;
  // `as`: the library's types do not know that an attribute may be there and undefined; its code does.
  return stringifySetCookie({ ...attributes, name, value } as SetCookie, { encode: encode ?? encodeURIComponent });
}

/** Years that the header's date can tell (RFC 6265 §5.1.1). */
function isWritable(expires: Date): boolean {
  const year = expires.getUTCFullYear();
  return year >= 1601 && year <= 9999;
}

/** A parsed `Set-Cookie` line (RFC 6265bis §5.6). */
export interface SetCookie {
  /** The line as the server sent it. */
  readonly line: string;
  /** Name of the cookie. */
  readonly name: string;
  /** The value as the server sent it: neither decoded nor unquoted. */
  readonly value: string;
  /** The `Domain` attribute, lower-cased and without its leading dot; absent means host-only. */
  readonly domain?: string;
  /** The `Path` attribute; absent if it is missing or does not start with `/`. */
  readonly path?: string;
  /** The `Expires` attribute; absent if it is missing or not a date. */
  readonly expires?: Date;
  /** The `Max-Age` attribute in seconds; absent if it is missing or not an integer. Takes precedence over `expires`. */
  readonly maxAge?: number;
  /** Whether the line has the attribute `Secure`. */
  readonly secure: boolean;
  /** Whether the line has the attribute `HttpOnly`. */
  readonly httpOnly: boolean;
  /** Absent if the attribute is missing or has an unknown value. */
  readonly sameSite?: SameSite;
}

/** The values of the `SameSite` attribute. */
export type SameSite = 'Strict' | 'Lax' | 'None';

/** Longest attribute value in characters; browsers ignore longer ones (RFC 6265bis §5.6). */
const ATTRIBUTE_LIMIT = 1024;

/**
 * Parses one `Set-Cookie` line (RFC 6265bis §5.6). It never throws: it ignores an attribute that is not valid, and a
 * line without `=` is a nameless cookie. Pure.
 */
function parseSetCookie(line: string): SetCookie {
  const [pair = '', ...attributes] = line.split(';');
  const equals = pair.indexOf('=');
  const name = equals < 0 ? '' : pair.slice(0, equals).trim();
  const value = equals < 0 ? pair.trim() : pair.slice(equals + 1).trim();
  const read = new Map<string, string>();
  for (const attribute of attributes) {
    const at = attribute.indexOf('=');
    const key = (at < 0 ? attribute : attribute.slice(0, at)).trim().toLowerCase();
    const text = at < 0 ? '' : attribute.slice(at + 1).trim();
    if (text.length <= ATTRIBUTE_LIMIT) read.set(key, text);
  }
  return {
    line,
    name,
    value,
    ...domainOf(read.get('domain')),
    ...pathOf(read.get('path')),
    ...expiresOf(read.get('expires')),
    ...maxAgeOf(read.get('max-age')),
    secure: read.has('secure'),
    httpOnly: read.has('httponly'),
    ...sameSiteOf(read.get('samesite')),
  };
}

/** Parses the `Set-Cookie` lines of a response, in order. */
export function parseSetCookies(headers: Headers): SetCookie[] {
  return headers.getSetCookie().map(parseSetCookie);
}

function domainOf(text: string | undefined): { domain?: string } {
  const domain = text?.replace(/^\./, '').toLowerCase();
  return domain ? { domain } : {};
}

function pathOf(text: string | undefined): { path?: string } {
  return text?.startsWith('/') ? { path: text } : {};
}

function expiresOf(text: string | undefined): { expires?: Date } {
  const expires = new Date(text ?? Number.NaN);
  return Number.isNaN(expires.getTime()) ? {} : { expires };
}

function maxAgeOf(text: string | undefined): { maxAge?: number } {
  return text !== undefined && /^-?\d+$/.test(text) ? { maxAge: Number(text) } : {};
}

function sameSiteOf(text: string | undefined): { sameSite?: SameSite } {
  const found = (['Strict', 'Lax', 'None'] as const).find((value) => value.toLowerCase() === text?.toLowerCase());
  return found ? { sameSite: found } : {};
}

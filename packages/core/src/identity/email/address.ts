/** Maximum length of the input, checked first (RFC 5321 §4.5.3.1, with room for blanks around the address). */
export const LONGEST_INPUT = 320;
/** Maximum octets of the local part (RFC 5321 §4.5.3.1.1). */
const LONGEST_LOCAL = 64;
/** Maximum octets of an address: a path of 256 (RFC 5321 §4.5.3.1.3) without its angle brackets. */
const LONGEST_ADDRESS = 254;

/**
 * RFC 5322 §3.2.3 dot-atom, with letters of other scripts (RFC 6532 §3.2). No quoting, comments, lists, groups or
 * routes. No leading hyphen, which a mailer's command line would read as an option.
 */
const LOCAL =
  /^(?!-)[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-][\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]*(\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-][\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]*)*$/u;
/** Labels of letters, digits and inner hyphens (RFC 1123 §2.1; RFC 5890 §2.3 for other scripts). */
const DOMAIN =
  /^[\p{L}\p{N}]([\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?(\.[\p{L}\p{N}]([\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?)*$/u;
/** Mailers read such a domain as an IP address, like URL parsers do (URL Standard, "ends in a number"). */
const NUMBER_AT_END = /(^|\.)(\d+|0x[\da-f]*)$/;
/** Invisible letters and marks (UAX #44), with which two addresses would look the same. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
/** The beginning of an encoded word (RFC 2047 §2), which some mailers decode into another address. */
const ENCODED_WORD = '=?';

/**
 * The canonical form in which an address is stored, looked up and mailed: NFKC, trimmed, lower case. It is validated
 * afterwards, so that no character turns into an `@` or a `,` after the check.
 *
 * @returns `undefined` if the input is not exactly one plain address.
 */
export function canonicalAddress(input: unknown): string | undefined {
  if (typeof input !== 'string' || input.length > LONGEST_INPUT) return undefined;
  // Lower case can produce sequences that NFKC composes.
  const address = input.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
  return isPlain(address) ? address : undefined;
}

function isPlain(address: string): boolean {
  const at = address.indexOf('@');
  const local = address.slice(0, Math.max(at, 0));
  const domain = address.slice(at + 1);
  if (octets(address) > LONGEST_ADDRESS || octets(local) > LONGEST_LOCAL) return false;
  if (INVISIBLE.test(address) || local.includes(ENCODED_WORD)) return false;
  return LOCAL.test(local) && DOMAIN.test(domain) && !NUMBER_AT_END.test(domain) && URL.canParse(`https://${domain}`);
}

function octets(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}

/**
 * Checks an identifier that an application's normalizer has returned. It need not be an address (a telephone number,
 * a name), but it must be one line of limited length. With an `@` it must be exactly one plain address; only its
 * letter case is the application's choice.
 *
 * @returns `undefined` if the identifier cannot be used.
 */
export function ownIdentifier(result: unknown): string | undefined {
  if (typeof result !== 'string' || result === '' || result.length > LONGEST_INPUT) return undefined;
  if (result.normalize('NFKC').includes('@')) return isMailable(result) ? result : undefined;
  return /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(result) ? undefined : result;
}

/** Is it a canonical address, apart from its letter case? */
export function isMailable(text: unknown): text is string {
  return typeof text === 'string' && canonicalAddress(text) === text.toLowerCase();
}

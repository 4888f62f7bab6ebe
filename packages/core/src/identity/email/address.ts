/** Longest input that is looked at, before anything is done with it (RFC 5321 §4.5.3.1, with room for blanks around it). */
const LONGEST_INPUT = 320;
/** Octets (RFC 5321 §4.5.3.1.1). */
const LONGEST_LOCAL = 64;
/** Octets: a path of 256 (RFC 5321 §4.5.3.1.3) without its angle brackets. */
const LONGEST_ADDRESS = 254;

/**
 * RFC 5322 §3.2.3 dot-atom, with letters of other scripts (RFC 6532 §3.2). No quoting, comments, lists, groups or routes; no
 * hyphen in front, where a mailer's command line would see an option.
 */
const LOCAL =
  /^(?!-)[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-][\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]*(\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-][\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]*)*$/u;
/** Labels of letters, digits and inner hyphens (RFC 1123 §2.1; RFC 5890 §2.3 for other scripts). */
const DOMAIN =
  /^[\p{L}\p{N}]([\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?(\.[\p{L}\p{N}]([\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?)*$/u;
/** Mailers rewrite such a domain as the IP address that a URL parser sees in it (URL Standard, "ends in a number"). */
const NUMBER_AT_END = /(^|\.)(\d+|0x[\da-f]*)$/;
/** Letters and marks that nobody sees (UAX #44): two addresses would look the same. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
/** How an encoded word begins (RFC 2047 §2): some mailers decode it, and another address comes out. */
const ENCODED_WORD = '=?';

/**
 * The one form of an address in which it is stored, looked up and mailed: compatibility characters resolved (NFKC), trimmed,
 * lower case. Validated afterwards, so that nothing turns into an `@` or a `,` once it has been judged.
 *
 * @returns `undefined` when it is not exactly one plain address.
 */
export function canonicalAddress(input: unknown): string | undefined {
  if (typeof input !== 'string' || input.length > LONGEST_INPUT) return undefined;
  // Lower case can bring together what NFKC had left apart.
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
 * What an application's own normaliser returned, if it can be used. Such identifiers need not be addresses (a telephone
 * number, a name), but they are one line of bounded length; what has an `@` is exactly one plain address, whose letter
 * case alone is the application's choice.
 */
export function ownIdentifier(result: unknown): string | undefined {
  if (typeof result !== 'string' || result === '' || result.length > LONGEST_INPUT) return undefined;
  if (result.normalize('NFKC').includes('@')) return isMailable(result) ? result : undefined;
  return /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(result) ? undefined : result;
}

/** Is it a canonical address, letter case aside? */
export function isMailable(text: unknown): text is string {
  return typeof text === 'string' && canonicalAddress(text) === text.toLowerCase();
}

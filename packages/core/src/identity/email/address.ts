/** Longest input that is looked at, before anything is done with it (RFC 5321 §4.5.3.1.3, with room for spelling). */
const LONGEST_INPUT = 320;
const LONGEST_LOCAL = 64;
const LONGEST_ADDRESS = 254;

/** RFC 5322 §3.2.3 atext, and letters of other scripts (RFC 6532). No quoting, comments, lists or route. */
const LOCAL = /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*$/u;
/** Labels of letters, digits and inner hyphens (RFC 1123 §2.1; RFC 5890 for other scripts). */
const DOMAIN =
  /^[\p{L}\p{N}]([\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?(\.[\p{L}\p{N}]([\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?)*$/u;

/**
 * The one form of an address in which it is stored, looked up and mailed: compatibility characters resolved (NFKC), trimmed, lower
 * case. Validated afterwards, so that nothing turns into an `@` or a `,` once it has been judged.
 *
 * @returns `undefined` when it is not exactly one plain address.
 */
export function canonicalAddress(input: unknown): string | undefined {
  if (typeof input !== 'string' || input.length > LONGEST_INPUT) return undefined;
  const address = input.normalize('NFKC').trim().toLowerCase();
  const at = address.indexOf('@');
  const local = address.slice(0, Math.max(at, 0));
  const domain = address.slice(at + 1);
  if (address.length > LONGEST_ADDRESS || local.length > LONGEST_LOCAL) return undefined;
  return LOCAL.test(local) && DOMAIN.test(domain) ? address : undefined;
}

/**
 * What an application's own normaliser returned, if it can be used: such identifiers need not be addresses, but they are one
 * line of bounded length.
 */
export function ownIdentifier(result: unknown): string | undefined {
  if (typeof result !== 'string' || result === '' || result.length > LONGEST_INPUT) return undefined;
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(result) ? undefined : result;
}

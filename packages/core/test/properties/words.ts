import fc from 'fast-check';

/** Pieces of hostile text: separators, escapes, invisible characters and words with a meaning. */
const PIECES = [
  '/', '//', '\\', '/\\', '@', ':', '?', '#', '&', '=', '%', '%2F', '%5c', '%00', '%0d%0a', '..', '.', ';', ',', '|', '"', "'", '<', '>', '`', '{', '}', '[', ']', '^',
  ' ', '\t', '\n', '\r', '\r\n', '\0', '\x7f', '\x85', '\u00a0', '\u200b', '\u202e', '\u2028', '\ufeff', '\uff0f', '\uff20', '\ud800', '\udc00', 'é', '漢', '😀',
  'http:', 'https:', 'http://', 'https://', 'HTTPS://', 'javascript:', 'data:', 'file:', 'blob:', 'ws://', 'localhost', 'localhost:3000', 'app.example', 'evil.example', '[::1]', '127.1',
  'user', 'user:pass@', '__proto__', 'constructor', 'prototype', 'toString', 'undefined', 'null', 'true', '0', '-1', '1e9', 'NaN', 'a', 'ab', 'x'.repeat(70),
] as const; // biome-ignore format: a list to be read across

/** Any text, and text made of hostile pieces. */
export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
);

/** Text that may stand in a header: visible Latin-1, blanks and tabs inside. */
export const headerText: fc.Arbitrary<string> = text.map((value) =>
  value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').trim(),
);

/** Names that mean something on every object. */
export const memberNames: fc.Arbitrary<string> = fc.constantFrom(
  '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON',
); // biome-ignore format: a list to be read across

const known = new Set<PropertyKey>(Reflect.ownKeys(Object.prototype));

/** Names of members that each object inherits. */
export function pollution(): PropertyKey[] {
  return Reflect.ownKeys(Object.prototype).filter((name) => !known.has(name));
}

/** The text as it arrives where it is encoded: half a character becomes the replacement character. */
export function wellFormed(value: string): string {
  return value.replace(/\p{Surrogate}/gu, '\ufffd');
}

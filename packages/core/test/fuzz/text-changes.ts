import fc from 'fast-check';
import { memberNames, text } from '../properties/words.ts';
import { ELEMENT } from './marks.ts';

/** One thing done to a text. Places count from the start, and begin anew where the text is shorter. */
export type TextChange =
  | { readonly how: 'flip'; readonly at: number; readonly by: number }
  | { readonly how: 'cut'; readonly at: number; readonly length: number }
  | { readonly how: 'insert'; readonly at: number; readonly text: string }
  | { readonly how: 'replace'; readonly text: string }
  | { readonly how: 'repeat'; readonly times: number }
  | { readonly how: 'upper' };

/** Addresses of the application and of other sites. */
export const addresses: fc.Arbitrary<string> = fc.constantFrom(
  '/', '/ok', '//evil.example', '/\\evil.example', 'https://evil.example/', 'https:evil.example', 'javascript:alert(1)', 'http://localhost:3000/x', 'https://partner.example/x', 'https://user:pass@app.example/', '/auth/signin', '\t//evil.example',
); // biome-ignore format: a list to be read across

/** URLs of Latchkey with markup in them. */
const markup = fc.constantFrom(`/in?"'>${ELEMENT}>`, `/${ELEMENT}>`, `'"${ELEMENT}>@example.com`, `&lt;${ELEMENT}>`);

const words = fc.constantFrom(
  'Configuration', 'AccessDenied', 'bob@example.com', 'ada@example.com', 'ADA@example.com', 'ada@example.com,bob@example.com', 'undefined', 'null', '0', '[]', '{}', 'true', `"'>${ELEMENT}>`, `javascript:'${ELEMENT}'`, 'a'.repeat(3000),
  '{"__proto__":{"polluted":1}}', 'eyJhbGciOiJub25lIn0.e30.', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIn0..a.b.c', 'register', 'authenticate', 'a\r\nset-cookie: b=c', 'a\nb',
); // biome-ignore format: a list to be read across

/** Text with a meaning in some syntax, and text without one. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: text },
  { weight: 2, arbitrary: addresses },
  { weight: 3, arbitrary: words },
  { weight: 1, arbitrary: markup },
  { weight: 1, arbitrary: memberNames },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('a', '%', '%2', '@.', '[', '../', ' '), fc.nat(4000))
      .map(([one, times]) => one.repeat(times)),
  },
);

const at = fc.nat(6000);
const change = <H extends TextChange['how'], T>(
  weight: number,
  how: H,
  more: { [K in keyof T]: fc.Arbitrary<T[K]> },
) => ({
  weight,
  arbitrary: fc.record(more).map((members) => ({ how, ...members })),
});

export const textChange: fc.Arbitrary<TextChange> = fc.oneof(
  change(4, 'flip', { at, by: fc.integer({ min: 1, max: 255 }) }),
  change(2, 'cut', { at, length: fc.integer({ min: 1, max: 300 }) }),
  change(2, 'insert', { at, text: hostileText }),
  change(3, 'replace', { text: hostileText }),
  change(1, 'repeat', { times: fc.integer({ min: 2, max: 40 }) }),
  change(1, 'upper', {}),
);

/** The changed text. Pure. */
export function changedText(value: string, change: TextChange): string {
  const place = 'at' in change ? change.at % (value.length + 1) : 0;
  switch (change.how) {
    case 'flip':
      return `${value.slice(0, place)}${flipped(value.charCodeAt(place), change.by)}${value.slice(place + 1)}`;
    case 'cut':
      return value.slice(0, place) + value.slice(place + change.length);
    case 'insert':
      return value.slice(0, place) + change.text + value.slice(place);
    case 'replace':
      return change.text;
    case 'repeat':
      return value.repeat(change.times).slice(0, 300_000);
    case 'upper':
      return value.toUpperCase();
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Another character of the alphabet of tokens, or, one time in four, any other byte. */
function flipped(code: number, by: number): string {
  if (Number.isNaN(code)) return '';
  const index = ALPHABET.indexOf(String.fromCharCode(code));
  if (index < 0 || by % 4 === 0) return String.fromCharCode((code ^ by) & 0xff);
  return ALPHABET[(index + 1 + (by % 63)) % 64] ?? '';
}

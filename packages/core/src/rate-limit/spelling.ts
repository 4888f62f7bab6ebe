/** Characters of a form that count; the rest of a longer one does not make it another. */
const LONGEST = 1024;
/** A text in pieces that end between two characters. */
const PIECES = /.{1,64}/gsu;

/**
 * What stores and people pass over: blanks, controls, characters that nobody sees (UAX #44), accents, and signs to which collations of
 * databases give no weight (what stretches a word in Arabic and other scripts; the dot of `ŀ`).
 */
const PASSED_OVER =
  /[\s\p{C}\p{Default_Ignorable_Code_Point}\p{M}\u00b7\u0640\u06de\u07fa\u0824\u0828\u180a\u1cd3\u1cf2\u1cf3\ufe73]+/gu;
/** Letters that databases take for others, though Unicode does not take them apart. */
const ALIKE: Readonly<Record<string, string>> = { Æ: 'AE', Đ: 'D', Ð: 'D', Ħ: 'H', Ł: 'L', Ø: 'O', Œ: 'OE' };
const ALIKE_LETTERS = new RegExp(`[${Object.keys(ALIKE).join('')}]`, 'g');
/** Digits of other scripts. */
const DIGITS = /[^\P{Nd}0-9]/gu;
/** What some database takes for a letter or a digit, and nobody is called by. */
const ODD = new RegExp(
  [
    String.raw`\p{No}|\p{Nl}`, // numbers that are no digits
    String.raw`[\u0363-\u036f]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u2de0-\u2dff]`, // letters above others
    String.raw`[\u018d\u01be\u0238\u0239]|[\u02a3-\u02ab]|[\u1d00-\u1dbf]|[\u{10780}-\u{107bf}]`, // of phonetics
    String.raw`[\u1efa\u1efb]|[\ua720-\ua7ff]|[\ua640-\ua69f]|[\u10a0-\u10cf]|[\u16a0-\u16ff]`, // of old hands
    String.raw`\u214d|[\u{1f110}-\u{1f1ac}]|[\u2e80-\u2eff]`, // in boxes; radicals
  ].join('|'),
  'u',
);
/** The iota below a vowel, by itself: to some databases a letter, to others nothing. */
const IOTA = /\u0345|\u037a/;
/** Left out before anything else is done with it, which costs more. */
const NO_DIGIT = /[\p{L}\p{M}\p{P}\p{Z}\p{C}]+/gu;
/** What becomes an `@`. */
const AT = /[@\uff20\ufe6b]/;
/** What is to be seen: neither blank nor hidden. */
const SEEN = /[^\s\p{C}\p{Default_Ignorable_Code_Point}]/u;
/** To older collations any of them is any other. */
const BEYOND_16_BITS = /[\u{10000}-\u{10ffff}]/gu;

/** The form of all identifiers with something odd in them: a few guesses for all together. */
const ODD_FORM = '?';

/**
 * The form of an identifier in which it is counted: without differences of NFKC, case, blanks, accents, characters that nobody sees, and of
 * letters and digits that collations of MariaDB for all languages take for those of ASCII. Else each spelling that the store takes for the
 * same would be another twenty guesses. Collations of one language, other alphabets and applications may take more for the same. That two
 * people share a counter now and then does little harm.
 */
export function countedForm(identifier: string): string {
  return formOf(identifier) || (SEEN.test(identifier) ? ODD_FORM : '');
}

/**
 * The form of an address in which mails to it are counted: as {@link countedForm}, without what mailbox providers pass over in the part
 * before the `@` (what follows a `+`, and dots).
 */
export function mailboxOf(address: string): string {
  const form = countedForm(address);
  const at = form.lastIndexOf('@');
  if (at < 0) return form;
  const local = form.slice(0, at);
  const mailbox = (local.split('+')[0] ?? '').replaceAll('.', '');
  return (mailbox || local) + form.slice(at);
}

/**
 * The form of what somebody has typed to say who he is: an address as {@link mailboxOf}, anything else by its letters and digits alone,
 * from the first that is no zero. Many an application looks up no more than these.
 */
export function nameOf(typed: string): string {
  if (AT.test(typed)) return mailboxOf(typed);
  return withoutZeros(formOf(typed, /[^\p{L}\p{N}]+/gu)) || countedForm(typed);
}

/** The forms of a phone number: its digits, as an application finds them that knows those of other scripts, and as one that does not. */
export function phoneOf(typed: string): readonly string[] {
  const own = typed.replace(/\D+/g, '').slice(0, LONGEST);
  const digits = formOf(typed.replace(NO_DIGIT, ''), /[^0-9]+/g);
  const forms = [digits, own].map(withoutZeros).filter((form) => form !== '');
  return forms.length > 0 ? forms : [nameOf(typed)];
}

function withoutZeros(form: string): string {
  return form.replace(/^0+(?=.)/, '');
}

/** Piece by piece, until there is enough: so nothing that is left out, however long, can push out what counts. */
function formOf(identifier: string, leftOut?: RegExp): string {
  let form = '';
  for (const [piece] of identifier.matchAll(PIECES)) {
    const folded = fold(piece);
    if (IOTA.test(piece) || ODD.test(folded)) return ODD_FORM;
    const seen = folded.replace(PASSED_OVER, '');
    form += (leftOut ? seen.replace(leftOut, '') : seen).replace(BEYOND_16_BITS, '\ufffd');
    if (form.length >= LONGEST) break;
  }
  // `ß` is SS to some and S to others.
  return form.replace(/S+/g, 'S').normalize('NFC').slice(0, LONGEST);
}

function fold(piece: string): string {
  // The upper case of this accent would be a letter.
  const apart = piece.normalize('NFKD').replaceAll('\u0345', '');
  // Upper case at last: ß meets SS there, and ς meets Σ.
  const upper = apart.toLowerCase().toUpperCase().normalize('NFKD');
  return upper.replace(ALIKE_LETTERS, (letter) => ALIKE[letter] ?? letter).replace(DIGITS, digitOf);
}

/** Digits of a script stand one after the other from 0 to 9, and some scripts side by side (Unicode, section 4.6). */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return String((code - first) % 10);
}

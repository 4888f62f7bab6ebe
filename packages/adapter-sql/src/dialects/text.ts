/** With the flag `u`, whole pairs do not match. */
const HALF_A_PAIR = /\p{Surrogate}/u;
const encoder = new TextEncoder();

/** Half of a surrogate pair has no UTF-8: it would come back as U+FFFD, and two keys could become one. */
export function isWellFormed(text: string): boolean {
  return !HALF_A_PAIR.test(text);
}

/** Does the text take at most so many bytes of UTF-8? */
export function fitsBytes(text: string, most: number): boolean {
  // No code unit takes more than three bytes.
  return text.length * 3 <= most || encoder.encode(text).length <= most;
}

/** Does the text have at most so many code points? */
export function fitsCharacters(text: string, most: number): boolean {
  return text.length <= most || [...text].length <= most;
}

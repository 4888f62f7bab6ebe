const WHOLE_NUMBER = /^-?\d+$/;
/** With the flag `u`, complete pairs do not match. */
const LONE_SURROGATE = /\p{Surrogate}/u;
const encoder = new TextEncoder();

/** Returns the date of a number of milliseconds since 1970, which drivers return as a number, a bigint or text. */
export function fromMilliseconds(value: unknown): Date | null {
  if (typeof value === 'string' && !WHOLE_NUMBER.test(value)) return null;
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string'
    ? ifValid(new Date(Number(value)))
    : null;
}

/**
 * Returns the date of `YYYY-MM-DDTHH:MM:SS` in UTC, with or without fractions. Digits after the milliseconds are cut.
 */
export function fromText(text: string): Date | null {
  const date = ifValid(new Date(text.endsWith('Z') ? text : `${text}Z`));
  // JavaScript reads 31 February as 3 March.
  return date?.toISOString().slice(0, 19) === text.slice(0, 19) ? date : null;
}

/** Returns a date as `2026-03-01T12:00:00.000Z`; `null` before `firstYear` and after 9999. */
export function toText(date: Date, firstYear: number): string | null {
  const year = date.getUTCFullYear();
  return year >= firstYear && year <= 9999 ? date.toISOString() : null;
}

/**
 * Tells whether a text is Unicode. Half of a surrogate pair is stored as U+FFFD, so that two keys could become equal.
 */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

/** Tells whether a text has at most `most` bytes of UTF-8. */
export function fitsBytes(text: string, most: number): boolean {
  // A code unit has at most three bytes.
  return text.length * 3 <= most || encoder.encode(text).length <= most;
}

/** Tells whether a text has at most `most` code points. */
export function fitsCharacters(text: string, most: number): boolean {
  return text.length <= most || [...text].length <= most;
}

function ifValid(date: Date): Date | null {
  return Number.isNaN(date.getTime()) ? null : date;
}

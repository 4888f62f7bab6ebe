const WHOLE_NUMBER = /^-?\d+$/;

/** The instant of a number of milliseconds since 1970, which drivers return as a number, a bigint or text. */
export function fromMilliseconds(value: unknown): Date | null {
  if (typeof value === 'string' && !WHOLE_NUMBER.test(value)) return null;
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string'
    ? valid(new Date(Number(value)))
    : null;
}

/** The instant of `YYYY-MM-DDTHH:MM:SS`, with fractions or without, in UTC. What is finer than the millisecond is dropped. */
export function fromText(text: string): Date | null {
  const date = valid(new Date(text.endsWith('Z') ? text : `${text}Z`));
  // JavaScript makes 3 March of 31 February.
  return date?.toISOString().slice(0, 19) === text.slice(0, 19) ? date : null;
}

/** `2026-03-01T12:00:00.000Z`; `null` outside of the years given. */
export function toText(date: Date, firstYear: number): string | null {
  const year = date.getUTCFullYear();
  return year >= firstYear && year <= 9999 ? date.toISOString() : null;
}

function valid(date: Date): Date | null {
  return Number.isNaN(date.getTime()) ? null : date;
}

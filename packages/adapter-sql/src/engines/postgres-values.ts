/** Reads the text that the server sent of a column. */
export type Parser = (text: string) => unknown;

/** Numbers of types, as in the server's catalogue `pg_type`. */
const BOOLEAN = 16;
const BIGINT = 20;
const SMALLINT = 21;
const INTEGER = 23;
const TEXT = 25;
const REAL = 700;
const DOUBLE = 701;
const VARCHAR = 1043;
const UUID = 2950;

/** How we read text, whatever the application has told the driver. Types that are not here stay text. */
export const textParsers: Readonly<Record<number, Parser>> = {
  [BOOLEAN]: (text) => text === 't',
  [BIGINT]: exactNumber,
  [SMALLINT]: Number,
  [INTEGER]: Number,
  [TEXT]: asItIs,
  [REAL]: Number,
  [DOUBLE]: Number,
  [VARCHAR]: asItIs,
  [UUID]: asItIs,
};

export function asItIs(text: string): string {
  return text;
}

/** Text where a number would lose digits. */
function exactNumber(text: string): number | string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

/** Converts the text of a column. */
export type Parser = (text: string) => unknown;

/** Identifiers of types in the server's catalog `pg_type`. */
const BOOLEAN = 16;
const BIGINT = 20;
const SMALLINT = 21;
const INTEGER = 23;
const TEXT = 25;
const REAL = 700;
const DOUBLE = 701;
const VARCHAR = 1043;
const UUID = 2950;

/** Parsers by type. They replace those of the driver. A column of another type is text. */
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

/** Returns a text unchanged. */
export function asItIs(text: string): string {
  return text;
}

/** Returns a text if JavaScript would round the number. */
function exactNumber(text: string): number | string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

import type { Engine } from './dialect.ts';

/** Two characters: one that needs four bytes, one that every other character set writes otherwise. */
const PROBE = '👩é';

/**
 * A connection of MySQL may be set to another character set than the tables have. Then the characters that it lacks arrive as
 * question marks, and two addresses may become one.
 *
 * @throws {TypeError}
 */
export async function checkText({ dialect, run }: Engine): Promise<void> {
  if (dialect.name !== 'mysql') return;
  const { rows } = await run({ sql: 'select ? as heard, char_length(?) as counted', parameters: [PROBE, PROBE] });
  const { heard, counted } = rows[0] ?? {};
  if (heard === PROBE && Number(counted) === 2) return;
  throw new TypeError(
    "the connection's character set loses text. Leave the pool's option `charset` out, or set it to `utf8mb4`",
  );
}

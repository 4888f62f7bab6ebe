import type { Engine } from './dialect.ts';

/**
 * Checks that a MySQL connection stores text unchanged. If its character set differs from that of the tables, missing
 * characters arrive as question marks. Without strict mode, the server cuts text that is longer than its column. In
 * both cases two addresses, or two ids of accounts, may become equal.
 *
 * @throws {TypeError} with the remedy.
 */
export async function checkConnection({ dialect, run }: Engine): Promise<void> {
  if (dialect.name !== 'mysql') return;
  const { rows } = await run({
    sql: 'select ? as received, char_length(?) as length, @@sql_mode as mode',
    parameters: [PROBE, PROBE],
  });
  const { received, length, mode } = rows[0] ?? {};
  if (received !== PROBE || Number(length) !== 2) {
    throw new TypeError(
      "the connection's character set loses text. Remove the pool's option `charset`, or set it to `utf8mb4`",
    );
  }
  if (/\bSTRICT_(?:TRANS|ALL)_TABLES\b/.test(String(mode))) return;
  throw new TypeError(
    `the connection's \`sql_mode\` (${mode}) lets the server cut text that is too long. Add \`STRICT_TRANS_TABLES\` to the server's \`sql_mode\``,
  );
}

/** A character with four bytes in UTF-8, and one that other character sets encode differently. */
const PROBE = '👩é';

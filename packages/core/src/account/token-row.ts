import { defaults } from '../config/defaults.ts';
import type { Context } from '../context.ts';
import { sha256Base64Url, sha256Hex } from '../crypto/hash.ts';
import type { PendingAddress } from '../pending/kinds.ts';
import type { VerificationToken } from '../types/adapter.ts';

/** The purpose of a row: an undo link, a new address, or an address that was restored. */
type RowPurpose = 'undo' | 'address' | 'restored';

/**
 * Returns a row for an account in the adapter's table of mailed tokens. No two rows have the same identifier or token,
 * because some adapters look for one of them alone.
 */
export async function accountRow(
  purpose: RowPurpose,
  parts: readonly string[],
  expires: Date,
): Promise<VerificationToken> {
  const token = await sha256Hex(textOf(purpose, parts));
  return { identifier: await identifierOf(purpose, parts), token, expires };
}

/** Returns the identifier of a row. It has colons, so that it cannot be an address. */
export async function identifierOf(purpose: RowPurpose, parts: readonly string[]): Promise<string> {
  return `latchkey:${purpose}:${await sha256Base64Url(textOf(purpose, parts))}`;
}

function textOf(purpose: RowPurpose, parts: readonly string[]): string {
  return JSON.stringify([purpose, ...parts]);
}

/** Returns the row of a new address that waits for its confirmation, as of now. */
export function addressRow({ now }: Context, { userId, to, token }: PendingAddress): Promise<VerificationToken> {
  return accountRow('address', [userId, to, token], new Date(now.getTime() + defaults.account.newAddress * 1000));
}

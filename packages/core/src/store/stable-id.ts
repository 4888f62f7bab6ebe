import type { AdapterAccount } from '../types/adapter.ts';
import type { TokenSet } from '../types/user.ts';

const MARK = 'stable-id:';

/**
 * Returns the members of a token response to store, with the account's second id.
 *
 * The id is in `session_state`, for which all documented tables of Auth.js v5 have a column. Providers with a second id
 * do not send that member.
 */
export function withStableId(stored: TokenSet, stableId: string | null | undefined): TokenSet {
  return stableId ? { ...stored, session_state: MARK + stableId } : stored;
}

/**
 * Returns whether a stored account has another second id than the one that signs in.
 *
 * @param stableId `null` if the vendor did not send one.
 */
export function isReassigned(stored: AdapterAccount | null, stableId: string | null): boolean {
  const session_state = stored?.session_state;
  return typeof session_state === 'string' && session_state.startsWith(MARK) && session_state !== MARK + stableId;
}

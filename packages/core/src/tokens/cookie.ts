import { BoundedMap } from '../bounded-map.ts';
import { limits } from '../config/defaults.ts';
import type { Context } from '../context.ts';
import { LASTING } from '../session/browser.ts';
import type { Cookie } from '../types/config.ts';
import { clearChunked, readChunked, writeChunked } from '../wire/cookie-chunks.ts';
import { sentName } from '../wire/cookie-names.ts';
import { type CookieEntry, entryOfCookie, type StoredEntry } from './entry.ts';
import { newState, type Vault, type VaultState } from './vault.ts';

// The cookie is a vault with at most one entry, that of the session. A refresh replaces the entry, and the reply sets
// the cookie. Requests that the browser has sent before still have the old cookie. So the process remembers the new
// entry for a minute: a second refresh with the old refresh token would look like theft to the provider.

/** The entry of a session after its last change in this process. */
interface Remembered {
  /** `null`: it was removed. */
  readonly entry: StoredEntry | null;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** Sessions whose tokens are remembered. */
const REMEMBERED = 2000;

/** By session id, which is random. So all configurations of a process can share it. */
const remembered = new BoundedMap<string, Remembered>(REMEMBERED);

const state: VaultState = newState();

/** Returns the entry in the cookie of a request, of any session; `undefined` without one that opens. */
export async function sentEntry({
  settings,
  cookies,
  cookieTable,
}: Pick<Context, 'settings' | 'cookies' | 'cookieTable'>): Promise<CookieEntry | undefined> {
  const sealed = readChunked(cookies, sentName(cookies, cookieTable.tokens));
  return sealed === undefined ? undefined : entryOfCookie(settings, sealed);
}

/**
 * Returns the entry that this process has put in the place of one; the same entry if it has not changed.
 *
 * @param own The change of this request, because the memory of the process is bounded. Default: none.
 */
export function newestEntry(sent: CookieEntry, own?: Remembered): StoredEntry | null {
  const known = remembered.get(sent.sessionId) ?? own;
  if (!known || known.until <= Date.now()) return sent;
  // Another process may have refreshed the tokens since.
  const isOlder = known.entry && known.entry.version < sent.version;
  return isOlder ? sent : known.entry;
}

/** Returns the cookies that set an entry. */
export function entryCookies({ cookies, cookieTable, now }: Context, { sealed }: StoredEntry): readonly Cookie[] {
  const { name, options } = cookieTable.tokens;
  const expires = new Date(now.getTime() + LASTING * 1000);
  return writeChunked(cookies, { name, options: { ...options, expires } }, sealed);
}

/**
 * Returns the vault of a request: the tokens of its session. The reply sets or removes the cookie if they have changed.
 *
 * @param sessionId Tokens of another session do not count. `''`: the vault is empty.
 */
export async function cookieVault(context: Context, sessionId: string): Promise<Vault> {
  const sent = await sentEntry(context);
  const own = sent?.sessionId === sessionId ? sent : undefined;
  let changed: Remembered | undefined;
  const present = (): StoredEntry | null => (own ? newestEntry(own, changed) : null);
  const change = (entry: StoredEntry | null): void => {
    changed = { entry, until: Date.now() + limits.tokensUnwritten * 1000 };
    remembered.set(sessionId, changed);
  };
  context.renewal.tokens = () => {
    const entry = present();
    if (!own || entry?.sealed === own.sealed) return [];
    return entry ? entryCookies(context, entry) : clearChunked(context.cookies, context.cookieTable.tokens);
  };
  return {
    read: async ({ provider, providerAccountId }) => {
      const entry = present();
      return entry?.provider === provider && entry.providerAccountId === providerAccountId ? entry : null;
    },
    find: async () => [],
    lease: async (_key, version) => present()?.version === version,
    write: async (entry, expected) => {
      if (present()?.version !== expected) return false;
      change(entry);
      return true;
    },
    remove: async () => change(null),
    scan: undefined,
    state,
    isReadOnly: context.call.isReadOnly,
  };
}

/** The line to the other tabs: one, as a page would hear itself on another. It has the name that the family gave it. */
const line: { channel?: BroadcastChannel } = {};

function channel(): BroadcastChannel {
  line.channel ??= new BroadcastChannel('next-auth');
  return line.channel;
}

/** Tells the other tabs, in words that each member of the family understands. */
export function announce(trigger: string): void {
  channel().postMessage({ event: 'session', data: { trigger } });
}

/**
 * Listens to all that may tell of a change of the session: of the cookies, where the browser tells that; of other tabs; and of the
 * visitor's coming back.
 *
 * @param check The session may be another one: look at the revision.
 * @param wake The page is looked at again, or has a network again.
 * @param refresh Another tab says that the session is another one.
 * @returns Ends it.
 */
export function listen(check: () => void, wake: () => void, refresh: () => unknown): () => void {
  const off = new AbortController();
  const isSeen = () => document.visibilityState === 'visible' && wake();
  for (const name of ['focus', 'pageshow', 'online', 'visibilitychange']) addEventListener(name, isSeen, off);
  channel().addEventListener('message', ({ data }) => data?.event === 'session' && refresh(), off);
  (globalThis as { cookieStore?: CookieStore }).cookieStore?.addEventListener('change', check, off);
  return () => off.abort();
}

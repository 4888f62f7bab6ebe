// One channel per page: a second one would receive the page's own messages. Auth.js v5 gave it its name.
const shared: { channel?: BroadcastChannel } = {};

function channel(): BroadcastChannel {
  shared.channel ??= new BroadcastChannel('next-auth');
  return shared.channel;
}

/**
 * Informs the other tabs of a change of the session, in the format of Auth.js v5.
 *
 * ```ts
 * announce('signout');
 * ```
 */
export function announce(trigger: string): void {
  channel().postMessage({ event: 'session', data: { trigger } });
}

/**
 * Listens to each sign of a changed session: cookies (where the browser reports them), other tabs, and the visitor's
 * return to the page.
 *
 * ```ts
 * const stop = listen(reload, reload, reload);
 * ```
 *
 * @param check Called when the session may have changed: compare the revision.
 * @param wake Called when the page becomes visible, or has a network again.
 * @param refresh Called when another tab announces a change.
 * @returns A function that stops listening.
 */
export function listen(check: () => void, wake: () => void, refresh: () => unknown): () => void {
  const off = new AbortController();
  const onVisible = () => document.visibilityState === 'visible' && wake();
  for (const name of ['focus', 'pageshow', 'online', 'visibilitychange']) addEventListener(name, onVisible, off);
  channel().addEventListener('message', ({ data }) => data?.event === 'session' && refresh(), off);
  (globalThis as { cookieStore?: CookieStore }).cookieStore?.addEventListener('change', check, off);
  return () => off.abort();
}

/**
 * Reads the revision of the session: a random value that changes with each sign-in, sign-out and update.
 *
 * ```ts
 * const hasChanged = readRevision() !== known;
 * ```
 *
 * @returns `undefined` if the server has not set it.
 */
export function readRevision(): string | undefined {
  return /(?:^|; )authjs\.revision=([^;]*)/.exec(document.cookie)?.[1];
}

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

/**
 * Returns a function that calls another one if the revision of the session has changed since the last call.
 *
 * ```ts
 * const look = ifChanged(() => location.reload());
 * const stop = listen(look, look, look);
 * ```
 */
export function ifChanged(reload: () => unknown): () => unknown {
  let seen = readRevision();
  return () => {
    const revision = readRevision();
    if (revision === seen) return;
    seen = revision;
    return reload();
  };
}

/** The functions of {@link watchRevision}, each of which reloads if the session has changed. */
const watchers: Set<() => unknown> = new Set();

/**
 * Calls a function when the session has changed, for example in another tab, and within {@link reloadWatchers}. Sends
 * no request.
 *
 * ```ts
 * const stop = watchRevision(() => router.invalidate());
 * ```
 *
 * @returns A function that stops watching.
 */
export function watchRevision(reload: () => unknown): () => void {
  const look = ifChanged(reload);
  const stop = listen(look, look, look);
  watchers.add(look);
  return () => {
    watchers.delete(look);
    stop();
  };
}

/**
 * Lets each function of {@link watchRevision} reload now if the session has changed, and waits for all of them.
 *
 * ```ts
 * const binding = clientBinding('/auth', reloadWatchers);
 * ```
 */
export async function reloadWatchers(): Promise<void> {
  await Promise.all([...watchers].map((look) => look()));
}

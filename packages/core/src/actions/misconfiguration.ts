import { chain } from '../chain.ts';
import { lazily } from '../config/lazy.ts';
import type { Settings } from '../config/settings.ts';
import type { Reply } from '../context.ts';
import type { Entered } from '../guards/admit.ts';
import type { Awaitable } from '../types.ts';

/** A configuration that is wrong; the log tells in what. */
export interface Misconfiguration {
  /** The answer as long as it is. */
  reply(entered: Entered): Promise<Reply>;
}

/** Configurations that were looked at. */
export interface Looked {
  /** As a whole. */
  readonly whole: WeakMap<Settings, Misconfiguration | undefined>;
  /** But for their providers, and nothing was wrong. */
  readonly basics: WeakSet<Settings>;
}

const report = lazily(async () => (await import('./report.ts')).reportOnce);

const looked: Looked = { whole: new WeakMap(), basics: new WeakSet() };

/**
 * All problems of the configuration, logged when they are found. Reading a session does not need the providers, so it does
 * not look at them.
 */
export function misconfigurationOf({ settings, action, incoming }: Entered): Awaitable<Misconfiguration | undefined> {
  if (looked.whole.has(settings)) return looked.whole.get(settings);
  const isRead = action === 'session' && incoming.method === 'GET';
  if (isRead && (settings.doubts.length === 0 || looked.basics.has(settings))) return undefined;
  return chain(report(), (reportOnce) => reportOnce(settings, looked, isRead));
}

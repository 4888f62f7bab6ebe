import type { Settings } from '../config/settings.ts';
import type { AuthError } from '../errors.ts';
import type { Entered } from '../guards/admit.ts';
import type { Awaitable } from '../types.ts';

/** What is wrong with a configuration, and under which reference the log tells it. */
export interface Misconfiguration {
  readonly problems: readonly AuthError[];
  readonly reference: string;
}

/** Configurations that were looked at. */
export interface Looked {
  /** As a whole. */
  readonly whole: WeakMap<Settings, Misconfiguration | undefined>;
  /** But for their providers, and nothing was wrong. */
  readonly basics: WeakSet<Settings>;
}

const looked: Looked = { whole: new WeakMap(), basics: new WeakSet() };

/**
 * All problems of the configuration, logged when they are found. Reading a session does not need the providers, so it does
 * not look at them.
 */
export function misconfigurationOf({ settings, action, incoming }: Entered): Awaitable<Misconfiguration | undefined> {
  if (looked.whole.has(settings)) return looked.whole.get(settings);
  const isRead = action === 'session' && incoming.method === 'GET';
  if (isRead && (settings.doubts.length === 0 || looked.basics.has(settings))) return undefined;
  return import('./report.ts').then(({ reportOnce }) => reportOnce(settings, looked, isRead));
}

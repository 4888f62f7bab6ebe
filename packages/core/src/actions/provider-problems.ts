import type { Settings } from '../config/settings.ts';
import type { RoutedRequest } from '../context.ts';

/** Problems of single providers, by id. */
export type ProviderProblems = ReadonlyMap<string, readonly Error[]>;

const known = new WeakMap<Settings, ProviderProblems>();

/** Remembers the problems that a check of the configuration has found and logged. */
export function rememberProblems(settings: Settings, problems: ProviderProblems): void {
  known.set(settings, problems);
}

/**
 * Checks that a provider can be used that a field or a cookie names. If the path names it, `problemReply` has refused
 * the request before.
 *
 * @throws {AuthError} the first problem of its configuration.
 */
export function requireUsable({ settings }: RoutedRequest, providerId: string): void {
  const [problem] = known.get(settings)?.get(providerId) ?? [];
  if (problem) throw problem;
}

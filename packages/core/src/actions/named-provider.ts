import type { NormalProvider } from '../config/provider.ts';
import { providerOf } from '../config/providers.ts';
import type { Context } from '../context.ts';
import { InvalidProvider } from '../errors.ts';

/** The provider that the path names; `undefined` when it names none, or one that is not configured. */
export function namedProvider({ settings, providerId, origin, basePath }: Context): NormalProvider | undefined {
  return providerId === undefined ? undefined : providerOf(settings, providerId, origin + basePath);
}

/**
 * The provider that the path names.
 *
 * @throws {InvalidProvider} when it names none, or one that is not configured.
 */
export function needProvider(context: Context): NormalProvider {
  const provider = namedProvider(context);
  if (provider) return provider;
  throw new InvalidProvider('no provider of this id is configured', { provider: context.providerId });
}

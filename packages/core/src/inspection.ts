/** For tools that check an application before it runs, such as `@latchkey/cli`. */

import { type MissingClient, missingClients } from './config/check-clients.ts';
import { unknownOptions } from './config/check-options.ts';
import type { ProviderProblem } from './config/check-providers.ts';
import { type Env, withEnv } from './config/env.ts';
import { findingsOf } from './config/findings.ts';
import { type ListedProvider, providerOf, providersOf, type ResolvedProvider } from './config/provider.ts';
import { storeUse } from './config/provider-options.ts';
import type { UnknownOption } from './config/similar-name.ts';
import type { StoreUse } from './types/adapter.ts';
import type { AuthConfig } from './types/config.ts';

export type { MissingClient } from './config/check-clients.ts';
export { similarTo, type UnknownOption } from './config/similar-name.ts';
export { neededSteps } from './store/needed-steps.ts';
export { withinTime } from './wire/deadline.ts';

/** The facts of a configuration, for tools. The values of secrets are among the members of `config`. */
export interface Inspection {
  /** The configuration with the environment's values. */
  readonly config: AuthConfig;
  /** Path of the actions without a trailing slash, such as `/auth`. */
  readonly basePath: string;
  /** Where sessions are kept. The default was applied. */
  readonly strategy: 'jwt' | 'database';
  /** Mistakes. `ids` names the providers that cannot be used because of it; empty for mistakes of the whole. */
  readonly problems: readonly ProviderProblem[];
  /** Hints about a configuration that works. */
  readonly warnings: readonly { readonly code: string; readonly words: string }[];
  /** Members that are not options, for example because their names are misspelled. */
  readonly unknownOptions: readonly UnknownOption[];
  /** Providers whose client has no id or no secret. */
  readonly missingClients: readonly MissingClient[];
  /** The rows that the application stores, beside users, accounts and one-time tokens. */
  readonly storeUse: StoreUse;
  /** The providers that can be used, with all options and addresses. */
  readonly providers: readonly (ResolvedProvider | ListedProvider)[];
}

/**
 * Checks a configuration as the first request does, and resolves its providers. It sends no request, calls no callback
 * and does not make the adapter.
 *
 * ```ts
 * const { problems, providers } = inspectConfig(config, process.env, { basePath: '/auth', origin: 'https://shop.example' });
 * ```
 *
 * @param site The origin of the site, and the base path if neither the configuration nor the environment names one.
 */
export function inspectConfig(
  given: AuthConfig,
  env: Env,
  site: { readonly origin: string; readonly basePath: string },
): Inspection {
  const { config, call } = withEnv(given, env, site.basePath);
  const { settings, problems, warnings } = findingsOf({ config, env, origin: call.origin ?? site.origin });
  const refused = new Set(problems.flatMap(({ ids }) => ids));
  const base = site.origin + settings.basePath;
  const providers = providersOf(settings, base).map((listed) =>
    refused.has(listed.id) ? listed : (resolved(() => providerOf(settings, listed.id, base)) ?? listed),
  );
  return {
    config,
    basePath: settings.basePath,
    strategy: settings.strategy,
    problems,
    warnings: warnings.map(([{ code, words }, detail]) => ({ code, words: detail ? `${words} (${detail})` : words })),
    unknownOptions: unknownOptions(given),
    missingClients: missingClients(config),
    storeUse: storeUse(settings),
    providers,
  };
}

function resolved(make: () => ResolvedProvider | undefined): ResolvedProvider | undefined {
  try {
    return make();
  } catch {
    // The check of the providers reports the same mistake.
    return undefined;
  }
}

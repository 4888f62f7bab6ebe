/** For tools that check an application before it runs, such as `@latchkey/cli`. */

import { checkBasics } from './config/check.ts';
import { localeProblems } from './config/check-locale.ts';
import { type UnknownOption, unknownOptions } from './config/check-options.ts';
import { providerFindings } from './config/check-providers.ts';
import { type Env, withEnv } from './config/env.ts';
import { type ListedProvider, providerOf, providersOf, type ResolvedProvider } from './config/provider.ts';
import { settingsFor } from './config/settings.ts';
import type { AuthError } from './errors.ts';
import type { AuthConfig } from './types/config.ts';

export { similarTo, type UnknownOption } from './config/check-options.ts';

/** The facts of a configuration, for tools. The values of secrets are among the members of `config`. */
export interface Inspection {
  /** The configuration with the environment's values. */
  readonly config: AuthConfig;
  /** Path of the actions without a trailing slash, such as `/auth`. */
  readonly basePath: string;
  /** Where sessions are kept. The default was applied. */
  readonly strategy: 'jwt' | 'database';
  /** Mistakes. `provider` is the id of the provider that the problem closes. */
  readonly problems: readonly { readonly error: AuthError; readonly provider?: string | undefined }[];
  /** Hints about a configuration that works. */
  readonly warnings: readonly { readonly code: string; readonly words: string }[];
  /** Members that are not options, for example because their names are misspelled. */
  readonly unknownOptions: readonly UnknownOption[];
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
  const { config } = withEnv(given, env, site.basePath);
  const settings = settingsFor(config);
  const basics = checkBasics(config, settings.checksNeeded, new URL(site.origin));
  const { general, scoped } = providerFindings(settings);
  const ofLocale = config.locale ? localeProblems(config.locale) : [];
  const problems: Inspection['problems'][number][] = [...basics.problems, ...ofLocale, ...general].map((error) => ({
    error,
  }));
  for (const { error, ids } of scoped) problems.push({ error, provider: ids[0] });
  const refused = new Set(scoped.flatMap(({ ids }) => ids));
  const base = site.origin + settings.basePath;
  const providers = providersOf(settings, base).map((listed) =>
    refused.has(listed.id) ? listed : (resolved(() => providerOf(settings, listed.id, base)) ?? listed),
  );
  return {
    config,
    basePath: settings.basePath,
    strategy: settings.strategy,
    problems,
    warnings: basics.warnings.map(({ code, words }) => ({ code, words })),
    unknownOptions: unknownOptions(given),
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

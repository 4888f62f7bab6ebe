import { UntrustedHost } from '../errors.ts';
import type { Warning } from '../log/logger.ts';
import { checkBasics } from './check.ts';
import { AUTHENTICATION_NOT_CHECKED, uncheckedAuthentication } from './check-authentication.ts';
import { localeProblems } from './check-locale.ts';
import { type ProviderProblem, providerFindings } from './check-providers.ts';
import type { Env, EnvConfigured } from './env.ts';
import { type Settings, settingsFor } from './settings.ts';
import { usableConfig } from './usable-config.ts';

/** Everything that can be said about a configuration before the first request. */
export interface Findings {
  readonly settings: Settings;
  /** Mistakes. `ids` is empty if a mistake concerns the whole configuration. */
  readonly problems: readonly ProviderProblem[];
  readonly warnings: readonly [warning: Warning, detail?: string][];
}

/** A configuration, completed by an environment. */
export interface Configured extends Pick<EnvConfigured, 'config'> {
  /** `undefined` if the configuration was complete. */
  readonly env: Env | undefined;
  /** The origin of `AUTH_URL`. */
  readonly origin: string | undefined;
}

/** A site whose URL is not known: messages must not name it. */
const NO_SITE = 'http://localhost';

/** Checks a configuration as the first request does. Sends no request, calls no callback, makes no adapter. */
export function findingsOf({ config, env, origin }: Configured): Findings {
  const settings = settingsFor(config);
  const checks = settings.checksNeeded.filter((check) => check !== 'trustHost');
  const basics = checkBasics(config, checks, new URL(origin ?? NO_SITE));
  const { general, scoped } = providerFindings(settings);
  const unchecked = uncheckedAuthentication(usableConfig(config));
  const ofAll = [
    ...(settings.checksNeeded.includes('trustHost') ? [noTrustedHost(env)] : []),
    ...basics.problems,
    ...(config.locale ? localeProblems(config.locale) : []),
    ...general,
  ];
  return {
    settings,
    problems: [...ofAll.map((error) => ({ error, ids: [] })), ...scoped],
    warnings: [
      ...basics.warnings.map((warning): [Warning] => [warning]),
      ...(unchecked.length > 0 ? [uncheckedWarning(unchecked)] : []),
    ],
  };
}

function uncheckedWarning(ids: readonly string[]): [Warning, string] {
  return [AUTHENTICATION_NOT_CHECKED, `providers: ${ids.join(', ')}`];
}

function noTrustedHost({ NODE_ENV }: Env = {}): UntrustedHost {
  const reason = NODE_ENV === undefined ? '' : `: NODE_ENV is ${JSON.stringify(NODE_ENV)}, and AUTH_URL is not set`;
  return new UntrustedHost(
    `no host is trusted${reason}. Set AUTH_URL to the URL of the site, or AUTH_TRUST_HOST=true (\`trustHost: true\`) if the server in front sets the Host header itself`,
  );
}

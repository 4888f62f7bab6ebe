import type { Settings } from '../config/settings.ts';
import type { Reply, Route, RoutedRequest } from '../context.ts';
import { isPrivateHost } from '../wire/host.ts';
import type { CheckResult } from './check-configuration.ts';
import { rememberProblems } from './provider-problems.ts';

/** The replies to failures. They are imported only if something is wrong, because most requests need none. */
export const failures = (): Promise<typeof import('./failure.ts')> => import('./failure.ts');

/**
 * The reply to a request that the configuration does not allow; `undefined` if nothing is wrong. All problems are
 * logged once, when they are found. A problem of one provider refuses only the requests that name this provider.
 * Reading a session needs no providers, so it does not check them.
 *
 * @param route How the request would be answered.
 */
export async function problemReply(request: RoutedRequest, route: Route | undefined): Promise<Reply | undefined> {
  const { settings, providerId, url } = request;
  const isRead = route?.readsSession === true;
  const result = knownResult(settings, isRead) ?? (await check(request, isRead));
  const problems = isRead ? result.ofSessions : result.problems;
  if (problems.length > 0) {
    const { logged, reference } = result;
    return (await failures()).configurationReply(request, route, { problems: logged, reference });
  }
  if (settings.config.trustHost === 'local' && !isPrivateHost(url.hostname)) {
    return (await failures()).untrustedHostReply(request, route);
  }
  // A page lists all providers, and an asset is not a provider.
  if (providerId === undefined || route === undefined || route.page || route.bare) return undefined;
  const own = result.ofProviders.get(providerId);
  return own && (await failures()).refusedProviderReply(request, { ...result, problems: own });
}

const results = new WeakMap<Settings, CheckResult>();
const NOTHING_TO_CHECK: CheckResult = {
  problems: [],
  logged: [],
  ofSessions: [],
  ofProviders: new Map(),
  reference: '',
  isComplete: false,
};

function knownResult(settings: Settings, isRead: boolean): CheckResult | undefined {
  const known = results.get(settings);
  if (known) return known.isComplete || isRead ? known : undefined;
  return isRead && settings.checksNeeded.length === 0 ? NOTHING_TO_CHECK : undefined;
}

async function check({ settings, url, call }: RoutedRequest, isRead: boolean): Promise<CheckResult> {
  const { checkConfiguration } = await import('./check-configuration.ts');
  const { locale } = settings.config;
  const ofLocale = isRead || !locale ? [] : (await import('../config/check-locale.ts')).localeProblems(locale);
  // Another request may have been faster while the checks were imported.
  const isDevelopment = call.development === true;
  const result =
    knownResult(settings, isRead) ?? checkConfiguration(settings, { isRead, url, ofLocale, isDevelopment });
  results.set(settings, result);
  rememberProblems(settings, result.ofProviders);
  return result;
}

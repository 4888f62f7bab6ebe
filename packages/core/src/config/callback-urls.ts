import type { Env } from './env.ts';
import { type ListedProvider, providersOf } from './provider.ts';
import type { Settings } from './settings.ts';
import { writtenTexts } from './start-report.ts';

/** The facts about the URL of a site that are known before its first request. */
export interface KnownSite {
  /** The origin of `AUTH_URL`. */
  readonly origin: string | undefined;
  readonly env: Env | undefined;
  /** A path at which the application must mount the handler itself; `undefined` if that is the usual one. */
  readonly mount?: string | undefined;
}

/** Names the URLs to register at the providers. */
export function logCallbackUrls(settings: Settings, { origin, env, mount }: KnownSite): void {
  const texts = writtenTexts();
  const site = origin ?? localSite(env?.PORT);
  const condition = mount === undefined ? '' : `, if the handler is mounted at ${mount || '/'}`;
  for (const { name, id, callbackUrl } of providersOf(settings, `${site ?? UNKNOWN}${settings.basePath}`).filter(
    isOAuth,
  )) {
    const url = site ? callbackUrl : `of this site that ends with ${callbackUrl.slice(UNKNOWN.length)}`;
    const text = `${name || id}: register the callback URL ${url}${condition}`;
    if (!texts.has(text)) settings.logger.notice(text);
    texts.set(text, '');
  }
}

/** Stands for a site whose port is not known yet. */
const UNKNOWN = 'http://localhost';

/** Frameworks read the variable, or set it before they load the application. */
function localSite(port: string | undefined): string | undefined {
  return port !== undefined && /^[1-9]\d{0,4}$/.test(port) ? `http://localhost:${port}` : undefined;
}

function isOAuth({ type }: ListedProvider): boolean {
  return type === 'oauth' || type === 'oidc';
}

import { providerEntries } from '../../config/settings.ts';
import type { Provider, ProviderConfig } from '../../providers/index.ts';
import type { WebAuthnConfig } from '../../providers/webauthn.ts';
import type { AuthConfig } from '../../types/config.ts';

const PATH = '/.well-known/webauthn';

/**
 * Answers `GET /.well-known/webauthn` of the site whose domain is `relayingParty.id`. Returns `undefined` for other
 * requests.
 *
 * ```ts
 * export default { fetch: (request: Request) => serveRelatedOrigins(request, config) ?? app.fetch(request) };
 * ```
 */
export function serveRelatedOrigins(request: Request, config: Pick<AuthConfig, 'providers'>): Response | undefined {
  if (request.method !== 'GET' || new URL(request.url).pathname !== PATH) return undefined;
  const headers = { 'cache-control': 'public, max-age=3600', 'x-content-type-options': 'nosniff' };
  return Response.json(relatedOrigins(config), { headers });
}

/**
 * Returns the origins that may use each other's passkeys (WebAuthn §5.11): the `relayingParty.origin` of all passkey
 * providers.
 *
 * ```ts
 * // For frameworks without `Request`, such as Express:
 * app.get('/.well-known/webauthn', (_, res) => res.json(relatedOrigins(config)));
 * ```
 */
export function relatedOrigins({ providers }: Pick<AuthConfig, 'providers'>): { origins: string[] } {
  const origins = providerEntries({ providers })
    .flatMap(originsOf)
    .filter((origin) => origin.startsWith('https:'));
  return { origins: [...new Set(origins)] };
}

/** Reads the option alone: resolving the whole provider would load much more code. */
function originsOf(entry: Provider): string[] {
  const own = madeOf(entry);
  const options = own?.options as Partial<WebAuthnConfig> | undefined;
  if ((options?.type ?? own?.type) !== 'webauthn') return [];
  return [options?.relayingParty?.origin ?? (own as WebAuthnConfig | undefined)?.relayingParty?.origin ?? []].flat();
}

/** A factory that needs options throws. The check of the configuration reports that. */
function madeOf(entry: Provider): ProviderConfig | undefined {
  try {
    return typeof entry === 'function' ? (entry as () => ProviderConfig)() : entry;
  } catch {
    return undefined;
  }
}

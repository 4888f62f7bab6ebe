import { entriesOf } from '../config/entries.ts';
import type { Provider, ProviderConfig } from '../providers/index.ts';
import type { WebAuthnConfig } from '../providers/webauthn.ts';
import type { AuthConfig } from '../types.ts';

const PATH = '/.well-known/webauthn';

/**
 * Answers `GET /.well-known/webauthn` of the site whose domain is `relayingParty.id`; other requests get `undefined`.
 *
 * ```ts
 * export default { fetch: (request: Request) => serveRelatedOrigins(request, config) ?? app.fetch(request) };
 * ```
 */
export function serveRelatedOrigins(request: Request, config: Pick<AuthConfig, 'providers'>): Response | undefined {
  if (request.method !== 'GET' || new URL(request.url).pathname !== PATH) return undefined;
  return Response.json(relatedOrigins(config), { headers: { 'cache-control': 'public, max-age=3600' } });
}

/**
 * The sites that may use each other's passkeys (WebAuthn §5.11): what the passkey providers have in `relayingParty.origin`. For
 * frameworks without `Request`: `app.get('/.well-known/webauthn', (_, res) => res.json(relatedOrigins(config)))`.
 */
export function relatedOrigins({ providers }: Pick<AuthConfig, 'providers'>): { origins: string[] } {
  const origins = entriesOf({ providers })
    .flatMap(originsOf)
    .filter((origin) => origin.startsWith('https:'));
  return { origins: [...new Set(origins)] };
}

/** Of an entry with its options nothing else is wanted: to make all of a provider ready, as signing in does, is a good deal of code. */
function originsOf(entry: Provider): string[] {
  const own = madeOf(entry);
  const options = own?.options as Partial<WebAuthnConfig> | undefined;
  if ((options?.type ?? own?.type) !== 'webauthn') return [];
  return [options?.relayingParty?.origin ?? (own as WebAuthnConfig | undefined)?.relayingParty?.origin ?? []].flat();
}

/** A factory that cannot do without options is told of where the configuration is checked. */
function madeOf(entry: Provider): ProviderConfig | undefined {
  try {
    return typeof entry === 'function' ? (entry as () => ProviderConfig)() : entry;
  } catch {
    return undefined;
  }
}

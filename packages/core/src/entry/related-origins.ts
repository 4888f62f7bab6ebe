import { mergedProvider } from '../config/provider.ts';
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
  const origins = providers
    .map(mergedProvider)
    .flatMap((provider) => (provider.type === 'webauthn' ? [provider.relayingParty?.origin ?? []].flat() : []));
  return { origins: [...new Set(origins.filter((origin) => origin.startsWith('https:')))] };
}

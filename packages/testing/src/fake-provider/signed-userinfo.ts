import type { KeyRing } from './keys.ts';
import type { FakeProviderSettings } from './options.ts';
import { type IdTokenOverride, signedToken } from './signing.ts';
import type { Grant } from './store.ts';

/** The userinfo answer as a signed token, with issuer and audience (OpenID Connect Core §5.3.2). */
export async function signedUserinfo(
  settings: FakeProviderSettings,
  keys: KeyRing,
  { grant, claims, override }: { grant: Grant; claims: Record<string, unknown>; override: IdTokenOverride },
): Promise<Response> {
  const client = settings.clients.find(({ client_id }) => client_id === grant.clientId) ?? {
    client_id: grant.clientId,
  };
  const named = { ...claims, iss: settings.issuer, aud: grant.clientId };
  const token = await signedToken({ settings, keys, client, override, claims: () => named });
  return new Response(token, { headers: { 'content-type': 'application/jwt', 'cache-control': 'no-store' } });
}

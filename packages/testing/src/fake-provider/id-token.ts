import { base64url } from 'jose';
import type { KeyRing } from './keys.ts';
import type { FakeClient, FakeProviderSettings } from './options.ts';
import { type IdTokenOverride, signedToken } from './signing.ts';
import type { Grant } from './store.ts';
import { claimsFor } from './userinfo.ts';

/** What an ID token is made from. */
export interface IdTokenRequest {
  readonly grant: Grant;
  readonly client: FakeClient;
  readonly accessToken: string;
  readonly override: IdTokenOverride;
}

/** Makes the ID token of a grant (OpenID Connect Core §2, §3.1.3.6). */
export function makeIdToken(
  settings: FakeProviderSettings,
  keys: KeyRing,
  { grant, client, accessToken, override }: IdTokenRequest,
): Promise<string> {
  const claims = (alg: string): Promise<Record<string, unknown>> => idTokenClaims(settings, grant, accessToken, alg);
  return signedToken({ settings, keys, client, override, claims });
}

async function idTokenClaims(
  { issuer, now, accessTokenLifetime }: FakeProviderSettings,
  grant: Grant,
  accessToken: string,
  alg: string,
): Promise<Record<string, unknown>> {
  const iat = Math.floor(now().getTime() / 1000);
  return {
    ...claimsFor(grant.user, grant.scope),
    iss: issuer,
    aud: grant.clientId,
    iat,
    exp: iat + accessTokenLifetime,
    auth_time: grant.authTime,
    at_hash: await atHash(accessToken, alg),
    ...(grant.nonce === undefined ? {} : { nonce: grant.nonce }),
  };
}

/** The left half of the access token's hash (OpenID Connect Core §3.1.3.6); Ed25519 uses SHA-512. */
async function atHash(accessToken: string, alg: string): Promise<string> {
  const digest = await crypto.subtle.digest(
    alg === 'EdDSA' ? 'SHA-512' : 'SHA-256',
    new TextEncoder().encode(accessToken),
  );
  return base64url.encode(new Uint8Array(digest, 0, digest.byteLength / 2));
}

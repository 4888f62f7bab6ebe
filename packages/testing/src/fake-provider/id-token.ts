import { base64url, type JWTHeaderParameters, SignJWT } from 'jose';
import type { KeyRing } from './keys.ts';
import type { FakeClient, FakeProviderSettings } from './options.ts';
import type { Grant } from './store.ts';
import { claimsFor } from './userinfo.ts';

/** What a test changes in ID tokens. Every member is optional; see {@link idTokenFaults} for ready-made ones. */
export interface IdTokenOverride {
  /** Gets the right claims, returns those to send. A member set to `undefined` is left out. */
  claims?: (claims: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /** Gets the right JOSE header, returns the one to send. */
  header?: (header: Readonly<JWTHeaderParameters>) => JWTHeaderParameters;
  /**
   * `wrong-key` signs with a key that is not published, `none` makes an unsigned token (`alg: none`), `client-secret` uses HS256 with
   * the client's secret whatever the provider's algorithm is. Default: `right-key`.
   */
  sign?: 'right-key' | 'wrong-key' | 'none' | 'client-secret';
  /** Gets the finished token, returns what to send in its place. */
  token?: (token: string) => string;
}

/** What an ID token is made from. */
export interface IdTokenRequest {
  readonly grant: Grant;
  readonly client: FakeClient;
  readonly accessToken: string;
  readonly override: IdTokenOverride;
}

/** Makes the ID token of a grant (OpenID Connect Core §2, §3.1.3.6). */
export async function makeIdToken(
  settings: FakeProviderSettings,
  keys: KeyRing,
  request: IdTokenRequest,
): Promise<string> {
  const { grant, client, accessToken, override } = request;
  const key = await keys.current();
  const sign = override.sign ?? (settings.signingAlgorithm === 'HS256' ? 'client-secret' : 'right-key');
  const proper: JWTHeaderParameters =
    sign === 'client-secret' ? { alg: 'HS256', typ: 'JWT' } : { alg: key.alg, kid: key.kid, typ: 'JWT' };
  const header = override.header?.(proper) ?? proper;
  const rightClaims = await idTokenClaims(settings, grant, accessToken, header.alg);
  const claims = override.claims?.(rightClaims) ?? rightClaims;
  const finish = override.token ?? ((token: string) => token);
  if (sign === 'none') return finish(`${encode({ ...header, alg: 'none' })}.${encode(claims)}.`);
  const jwt = new SignJWT(claims).setProtectedHeader(header);
  if (sign === 'client-secret') return finish(await jwt.sign(secretKey(client)));
  const signer = sign === 'wrong-key' ? await keys.impostor() : key;
  return finish(await jwt.sign(signer.privateKey));
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

function encode(value: unknown): string {
  return base64url.encode(JSON.stringify(value));
}

/** @throws {TypeError} for a client without a secret. */
function secretKey({ client_id, client_secret }: FakeClient): Uint8Array {
  if (!client_secret)
    throw new TypeError(`HS256 is keyed with the client's secret: give the client ${client_id} a client_secret`);
  return new TextEncoder().encode(client_secret);
}

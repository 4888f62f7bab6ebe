import { base64url, exportSPKI, importJWK, type JWTHeaderParameters, SignJWT } from 'jose';
import type { Grant } from './grants.ts';
import type { KeyRing, SigningKey } from './keys.ts';
import { type Change, changed } from './misbehavior.ts';
import type { FakeClient, FakeProviderSettings } from './options.ts';
import { claimsFor } from './userinfo.ts';

/** The parts of an ID token. */
interface IdTokenRequest {
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

/** Returns the left half of the access token's hash (OpenID Connect Core §3.1.3.6). Ed25519 uses SHA-512. */
async function atHash(accessToken: string, alg: string): Promise<string> {
  const digest = await crypto.subtle.digest(
    alg === 'EdDSA' ? 'SHA-512' : 'SHA-256',
    new TextEncoder().encode(accessToken),
  );
  return base64url.encode(new Uint8Array(digest, 0, digest.byteLength / 2));
}

/** Returns the userinfo response as a signed token, with issuer and audience (OpenID Connect Core §5.3.2). */
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

/** Makes a logout token (OpenID Connect Back-Channel Logout §2.4), as for the first client and the first user. */
export function makeLogoutToken(
  settings: FakeProviderSettings,
  keys: KeyRing,
  override: IdTokenOverride,
): Promise<string> {
  const [client = { client_id: '' }] = settings.clients;
  const iat = Math.floor(settings.now().getTime() / 1000);
  const claims = (): Record<string, unknown> => ({
    iss: settings.issuer,
    aud: client.client_id,
    iat,
    exp: iat + 120,
    jti: crypto.randomUUID(),
    sub: settings.visitor.sub,
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  });
  const header = changedType(override.header);
  return signedToken({ settings, keys, client, override: { ...override, header }, claims });
}

/** The token has the type of logout tokens, unless the override names another one. */
function changedType(change: IdTokenOverride['header']): NonNullable<IdTokenOverride['header']> {
  return (proper) => changedHeader({ ...proper, typ: 'logout+jwt' }, change);
}

/** Changes to a token that the provider signs: an ID token, signed userinfo, or a logout token. */
export interface IdTokenOverride {
  /** Claims to set (`undefined` removes one), or a function from the correct claims to those that are sent. */
  claims?: Change;
  /** The same for the JOSE header. `alg` can only be changed with `sign: 'none'`: the key decides it. */
  header?: Readonly<Record<string, unknown>> | ((header: Readonly<JWTHeaderParameters>) => JWTHeaderParameters);
  /** The key that signs the token. Default: `right-key`. */
  sign?: SignedBy;
  /** Receives the signed token and returns the text that is sent. */
  token?: (token: string) => string;
}

/**
 * The key that signs a token:
 * - `right-key`: the provider's current key (`client-secret` if the provider uses HS256)
 * - `wrong-key`: an unpublished key with the `kid` of the current key
 * - `embedded-key`: an unpublished key in the token's own header, as `jwk`, with `jku` and `x5u`
 * - `unlisted-algorithm`: a published key of an algorithm that the metadata does not list
 * - `client-secret`: HS256 with the client's secret, for any algorithm of the provider
 * - `public-key`: HS256 with the PEM text of the published key (RFC 8725 §2.1)
 * - `none`: no key; `alg` is `none`
 */
export type SignedBy =
  | 'right-key'
  | 'wrong-key'
  | 'embedded-key'
  | 'unlisted-algorithm'
  | 'client-secret'
  | 'public-key'
  | 'none';

/** The parts of a signed token. */
interface SigningRequest {
  readonly settings: FakeProviderSettings;
  readonly keys: KeyRing;
  readonly client: FakeClient;
  readonly override: IdTokenOverride;
  /** Returns the correct claims. */
  readonly claims: (alg: string) => Promise<Record<string, unknown>> | Record<string, unknown>;
}

/** The header and the key of a token; without a key the token is not signed. */
interface Signer {
  readonly header: JWTHeaderParameters;
  readonly key: CryptoKey | Uint8Array | undefined;
}

/** Makes a token (RFC 7519 §7.1), signed correctly or as the override says. */
export async function signedToken(request: SigningRequest): Promise<string> {
  const { override } = request;
  const { header: proper, key } = await signerOf(request);
  const header = changedHeader(proper, override.header);
  const claims = changed(await request.claims(header.alg), override.claims);
  const finish = override.token ?? ((token: string) => token);
  if (!key) return finish(`${encode(header)}.${encode(claims)}.`);
  return finish(await sign(header, claims, key));
}

async function signerOf({ settings, keys, client, override }: SigningRequest): Promise<Signer> {
  const current = await keys.current();
  const named = (key: SigningKey): JWTHeaderParameters => ({ alg: key.alg, kid: key.kid, typ: 'JWT' });
  switch (override.sign ?? (settings.signingAlgorithm === 'HS256' ? 'client-secret' : 'right-key')) {
    case 'right-key':
      return { header: named(current), key: current.privateKey };
    case 'wrong-key':
      return { header: named(current), key: (await keys.impostor()).privateKey };
    case 'embedded-key': {
      const impostor = await keys.impostor();
      const elsewhere = { jku: 'https://impostor.example/jwks', x5u: 'https://impostor.example/chain.pem' };
      return { header: { ...named(current), jwk: impostor.publicJwk, ...elsewhere }, key: impostor.privateKey };
    }
    case 'unlisted-algorithm': {
      const other = await keys.unlisted();
      return { header: named(other), key: other.privateKey };
    }
    case 'client-secret':
      return { header: { alg: 'HS256', typ: 'JWT' }, key: secretKey(client) };
    case 'public-key':
      return { header: { ...named(current), alg: 'HS256' }, key: await publicText(current) };
    case 'none':
      return { header: { ...named(current), alg: 'none' }, key: undefined };
  }
}

function changedHeader(proper: JWTHeaderParameters, change: IdTokenOverride['header']): JWTHeaderParameters {
  return typeof change === 'function' ? change(proper) : { ...proper, ...change };
}

/** Accepts each name in `crit`: the client, not the provider, must refuse it. */
async function sign(
  header: JWTHeaderParameters,
  claims: Record<string, unknown>,
  key: CryptoKey | Uint8Array,
): Promise<string> {
  const understood = Object.fromEntries((header.crit ?? []).map((name) => [name, false]));
  return new SignJWT(claims).setProtectedHeader(header).sign(key, { crit: understood });
}

function encode(value: unknown): string {
  return base64url.encode(JSON.stringify(value));
}

async function publicText({ publicJwk, alg }: SigningKey): Promise<Uint8Array> {
  const key = await importJWK({ ...publicJwk, ext: true }, alg);
  return new TextEncoder().encode(await exportSPKI(key as CryptoKey));
}

/** Returns the client's secret as a key. @throws {TypeError} if the client does not have a secret. */
function secretKey({ client_id, client_secret }: FakeClient): Uint8Array {
  if (!client_secret)
    throw new TypeError(`HS256 signs with the client's secret: set the client_secret of the client ${client_id}`);
  return new TextEncoder().encode(client_secret);
}

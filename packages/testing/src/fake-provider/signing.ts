import { base64url, exportSPKI, importJWK, type JWTHeaderParameters, SignJWT } from 'jose';
import { type Change, changed } from './change.ts';
import type { KeyRing, SigningKey } from './keys.ts';
import type { FakeClient, FakeProviderSettings } from './options.ts';

/** What a test changes in the tokens that a provider signs: ID tokens and signed userinfo. Every member is optional. */
export interface IdTokenOverride {
  /** Claims to set (`undefined` leaves one out), or a function from the right claims to those to send. */
  claims?: Change;
  /** The same for the JOSE header. Another `alg` is possible only with `sign: 'none'`: what signs is told by `sign`. */
  header?: Readonly<Record<string, unknown>> | ((header: Readonly<JWTHeaderParameters>) => JWTHeaderParameters);
  /** What signs the token. Default: `right-key`. */
  sign?: SignedBy;
  /** Gets the finished token, returns what to send in its place. */
  token?: (token: string) => string;
}

/**
 * What signs a token:
 * - `right-key`: the provider's current key (`client-secret` where the provider is on HS256)
 * - `wrong-key`: a key that is not published, under the name (`kid`) of the current one
 * - `embedded-key`: a key that is not published but stands in the token's own header: `jwk`, with `jku` and `x5u` beside it
 * - `unlisted-algorithm`: a published key, of an algorithm that the metadata do not list
 * - `client-secret`: HS256 keyed with the client's secret, whatever the provider's algorithm is
 * - `public-key`: HS256 keyed with the text (PEM) of the published key (RFC 8725 §2.1)
 * - `none`: nothing, `alg` is `none`
 */
export type SignedBy =
  | 'right-key'
  | 'wrong-key'
  | 'embedded-key'
  | 'unlisted-algorithm'
  | 'client-secret'
  | 'public-key'
  | 'none';

/** What a token is made from. */
export interface SigningRequest {
  readonly settings: FakeProviderSettings;
  readonly keys: KeyRing;
  readonly client: FakeClient;
  readonly override: IdTokenOverride;
  /** The right claims. */
  readonly claims: (alg: string) => Promise<Record<string, unknown>> | Record<string, unknown>;
}

/** How a token is signed: its header, and the key (`undefined`: not at all). */
interface Signer {
  readonly header: JWTHeaderParameters;
  readonly key: CryptoKey | Uint8Array | undefined;
}

/** Makes a signed token (RFC 7519 §7.1), or one that is signed wrongly. */
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

/** Whatever the header calls critical counts as understood here: it is the client that must refuse it. */
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

/** @throws {TypeError} for a client without a secret. */
function secretKey({ client_id, client_secret }: FakeClient): Uint8Array {
  if (!client_secret)
    throw new TypeError(`HS256 is keyed with the client's secret: give the client ${client_id} a client_secret`);
  return new TextEncoder().encode(client_secret);
}

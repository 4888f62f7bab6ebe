import { BoundedMap } from '../bounded-map.ts';
import { readObject } from '../plain-object.ts';
import type { Awaitable } from '../types/user.ts';
import { fromBase64Url, fromUtf8, toBase64Url } from './bytes.ts';
import { engine, engineKind } from './engine.ts';
import type { Engine, EngineKind, OpeningKey, SealedParts, SealingKey } from './engine-web.ts';

/** Longest token that is read, in characters: twice as long as all cookies of a request can be. */
export const LONGEST_TOKEN: number = 128 * 1024;

/** Seconds by which the clock of another server may differ. */
export const CLOCK_TOLERANCE = 15;

/** Arguments of {@link seal} beside the claims. */
export interface SealOptions {
  /** The first secret seals. */
  readonly secrets: readonly string[];
  /** The purpose of the token; for a cookie its name. A token opens under the same salt only. */
  readonly salt: string;
  /** Seconds from {@link now} for which the token is valid. */
  readonly maxAge: number;
  readonly now: Date;
}

/** Arguments of {@link open} beside the token. */
export interface OpenOptions {
  /** Each secret is tried. */
  readonly secrets: readonly string[];
  /** The salt under which the token was sealed. */
  readonly salt: string;
  readonly now: Date;
}

/**
 * The token is not valid: it was changed, was made with another secret or salt, or has expired. The error does not say
 * which, because an attacker could learn from the difference.
 */
export class TokenError extends Error {
  override readonly name: string = 'TokenError';

  constructor() {
    super('the token is not valid');
  }
}

/**
 * Seals claims into a compact JWE (RFC 7516; `dir`, A256CBC-HS512), which Auth.js v5 can read with the same secret.
 * `iat`, `exp` and `jti` are always set; claims of these names are replaced.
 *
 * @throws {TypeError} if there is no secret, or JSON cannot represent the claims.
 */
export async function seal(claims: object, options: SealOptions): Promise<string> {
  const secret = requireSecret(options.secrets);
  const iat = seconds(options.now);
  const plaintext = JSON.stringify({ ...claims, iat, exp: iat + options.maxAge, jti: crypto.randomUUID() });
  const { header, key } = await sealingKey(secret, options.salt);
  return key.seal(header, plaintext);
}

/**
 * Returns the claims of a token that {@link seal} or Auth.js v5 has made. Tokens with A256GCM are read, too.
 *
 * @throws {TokenError} if the token is not valid.
 * @throws {TypeError} if there is no secret.
 */
export async function open(token: string, options: OpenOptions): Promise<Record<string, unknown>> {
  const claims = await openIfValid(token, options);
  if (!claims) throw new TokenError();
  return claims;
}

/**
 * Returns the claims of a token; undefined if the token is not valid.
 *
 * @throws {TypeError} if there is no secret.
 */
export async function openIfValid(token: string, options: OpenOptions): Promise<Record<string, unknown> | undefined> {
  requireSecret(options.secrets);
  const parts = readParts(token);
  if (!parts) return undefined;
  const plaintext = await decrypt(parts, options.secrets, options.salt);
  const claims = plaintext === undefined ? undefined : readObject(plaintext);
  return claims && isCurrent(claims, seconds(options.now)) ? claims : undefined;
}

function requireSecret([first]: readonly string[]): string {
  if (first === undefined) throw new TypeError('there is no secret: set a random text of at least 32 characters');
  return first;
}

// A token has five segments. The second, the encrypted key, is empty. The lengths of IV and tag are those of the two
// algorithms.
const SHAPE = /^[\w-]+\.\.(?:[\w-]{22}\.[\w-]+\.[\w-]{43}|[\w-]{16}\.[\w-]+\.[\w-]{22})$/;

function readParts(token: string): SealedParts | undefined {
  if (token.length > LONGEST_TOKEN || !SHAPE.test(token)) return undefined;
  const [header = '', , iv = '', ciphertext = '', tag = ''] = token.split('.');
  return { header, iv, ciphertext, tag };
}

/** Returns the plaintext; undefined if no secret decrypts it. */
async function decrypt(parts: SealedParts, secrets: readonly string[], salt: string): Promise<string | undefined> {
  const known = keysByHeader[engineKind()].get(parts.header);
  if (known && known.salt === salt && secrets.includes(known.secret) && !secrets.includes(''))
    return known.key.open(parts);
  // Latchkey and Auth.js v5 write the same header for the same key, so that it need not be decoded.
  for (const secret of secrets) {
    const { header, key } = await sealingKey(secret, salt);
    if (header === parts.header) return key.open(parts);
  }
  return decryptOther(parts, secrets, salt);
}

/** Returns the plaintext of a token of other software, whose header has another order, A256GCM, or no `kid`. */
async function decryptOther(parts: SealedParts, secrets: readonly string[], salt: string): Promise<string | undefined> {
  const header = readHeader(parts.header);
  if (!header) return undefined;
  const keyOf = header.enc === 'A256GCM' ? gcmOpeningKey : sealingKey;
  for (const secret of secrets) {
    const { kid, key } = await keyOf(secret, salt);
    const isOther = header.kid !== undefined && header.kid !== kid;
    const plaintext = isOther ? undefined : await key.open(parts);
    if (plaintext !== undefined) return plaintext;
  }
  return undefined;
}

/** Decodes the protected header (RFC 7516 §4). Returns undefined if it demands something that is not supported. */
function readHeader(segment: string): { enc: ContentEncryption; kid: unknown } | undefined {
  const bytes = fromBase64Url(segment);
  const header = bytes && readObject(fromUtf8(bytes) ?? '');
  if (header?.['alg'] !== 'dir' || Object.hasOwn(header, 'crit') || Object.hasOwn(header, 'zip')) return undefined;
  const { enc, kid } = header;
  return enc === 'A256CBC-HS512' || enc === 'A256GCM' ? { enc, kid } : undefined;
}

/** Tests the time claims (RFC 7519 §4.1.4–6). Each of them may be absent. */
function isCurrent({ exp, nbf, iat }: Record<string, unknown>, now: number): boolean {
  if (iat !== undefined && typeof iat !== 'number') return false;
  if (exp !== undefined && !(typeof exp === 'number' && exp > now - CLOCK_TOLERANCE)) return false;
  return nbf === undefined || (typeof nbf === 'number' && nbf <= now + CLOCK_TOLERANCE);
}

function seconds(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}

/** Content encryption algorithms (RFC 7518 §5.1). Tokens are written with the first and read with both. */
type ContentEncryption = 'A256CBC-HS512' | 'A256GCM';

/** A derived key and its identification in a token. */
export interface DerivedKey<K extends OpeningKey = OpeningKey> {
  /** JWK thumbprint (RFC 7638): SHA-512 for the key of 64 bytes, SHA-256 for that of 32 bytes. */
  readonly kid: string;
  /** The encoded protected header that Latchkey and Auth.js v5 write. */
  readonly header: string;
  readonly key: K;
}

type Keys = BoundedMap<string, BoundedMap<string, Promise<DerivedKey<SealingKey>>>>;

interface KnownKey {
  readonly secret: string;
  readonly salt: string;
  readonly key: OpeningKey;
}

/** Salts for which the keys of a secret are kept. The library itself uses fewer. */
const SALTS_KEPT = 16;

/** By secret, then by salt. To join the two texts would take ten times as long as the second look-up. */
const keys: Record<EngineKind, Keys> = { node: new BoundedMap(), web: new BoundedMap() };

/**
 * The same keys by the header that they write, which contains the thumbprint of the key. With ten secrets, opening a
 * token takes a quarter less time than by trying one after the other.
 */
const keysByHeader: Record<EngineKind, BoundedMap<string, KnownKey>> = {
  node: new BoundedMap(),
  web: new BoundedMap(),
};

/**
 * Returns the key of A256CBC-HS512 that belongs to a secret and a salt. The keys of the last 256 secrets are kept, for
 * {@link SALTS_KEPT} salts each.
 *
 * @throws {TypeError} if the secret is empty.
 */
export function sealingKey(secret: string, salt: string): Promise<DerivedKey<SealingKey>> {
  return keys[engineKind()]
    .getOrSet(secret, () => new BoundedMap(SALTS_KEPT))
    .getOrSet(salt, async () => {
      const derived = await derive('A256CBC-HS512', secret, salt, ({ cbcKey }, bytes) => cbcKey(bytes));
      keysByHeader[engineKind()].set(derived.header, { secret, salt, key: derived.key });
      return derived;
    });
}

/**
 * Returns the key of A256GCM that belongs to a secret and a salt. It is not cached, because tokens with this algorithm
 * are rare.
 *
 * @throws {TypeError} if the secret is empty.
 */
export function gcmOpeningKey(secret: string, salt: string): Promise<DerivedKey> {
  return derive('A256GCM', secret, salt, ({ gcmKey }, bytes) => gcmKey(bytes));
}

/** Derives a key with HKDF-SHA-256 (RFC 5869). The salt is also part of `info`, as in Auth.js v5. */
async function derive<K extends OpeningKey>(
  enc: ContentEncryption,
  secret: string,
  salt: string,
  makeKey: (engine: Engine, bytes: Uint8Array<ArrayBuffer>) => Awaitable<K>,
): Promise<DerivedKey<K>> {
  if (secret === '') throw new TypeError('the secret is empty: set a random text of at least 32 characters');
  const chosen = await engine();
  const isCbc = enc === 'A256CBC-HS512';
  const info = `Auth.js Generated Encryption Key (${salt})`;
  const bytes = await chosen.hkdf(secret, salt, info, isCbc ? 64 : 32);
  const jwk = `{"k":"${toBase64Url(bytes)}","kty":"oct"}`;
  const kid = await chosen.digest(isCbc ? 'sha512' : 'sha256', jwk, 'base64url');
  const key = await makeKey(chosen, bytes);
  bytes.fill(0);
  const header = toBase64Url(new TextEncoder().encode(JSON.stringify({ alg: 'dir', enc, kid })));
  return { kid, header, key };
}

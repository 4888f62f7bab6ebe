import { chain, firstResult } from '../chain.ts';
import type { Awaitable } from '../types.ts';
import { toBase64Url } from './encoding.ts';
import type { Engine, EngineKind, OpeningKey, SealingKey } from './engine.ts';
import { KeyCache } from './key-cache.ts';

/** Content encryption (RFC 7518 §5.1): we write the first, and read the second as well. */
export type ContentEncryption = 'A256CBC-HS512' | 'A256GCM';

/** A derived key with what identifies it in a token. */
export interface DerivedKey<K extends OpeningKey = OpeningKey> {
  /** JWK thumbprint (RFC 7638), SHA-512 for the 64-byte key and SHA-256 for the 32-byte one. */
  readonly kid: string;
  /** The encoded protected header as we and the rest of the Auth.js v5 family write it. */
  readonly header: string;
  readonly key: K;
}

/**
 * The key that a secret stands for under a salt: HKDF-SHA-256 (RFC 5869) with the salt also named in `info`. Remembered as
 * a key object of the engine, whose use costs a fifth of that of raw bytes; the bytes are zeroed.
 *
 * @throws {TypeError} when the secret is empty.
 */
export function sealingKey(engine: Engine, secret: string, salt: string): Awaitable<DerivedKey<SealingKey>> {
  const { cbc } = cachesOf(engine);
  return cbc.get(salt, secret) ?? cbc.add(salt, secret, derive(engine, 'A256CBC-HS512', secret, salt, engine.cbcKey));
}

/**
 * The key among those of the secrets that writes this header.
 *
 * @throws {TypeError} when a secret is empty.
 */
export function keyOfHeader(
  engine: Engine,
  secrets: readonly string[],
  salt: string,
  header: string,
): Awaitable<DerivedKey<SealingKey> | undefined> {
  const fits = (key: DerivedKey<SealingKey>): boolean => key.header === header;
  // Nearly always it was derived before.
  const known = secrets.includes('') ? undefined : cachesOf(engine).cbc.find(salt, secrets, fits);
  return (
    known ??
    firstResult(secrets, (secret) => chain(sealingKey(engine, secret, salt), (key) => (fits(key) ? key : undefined)))
  );
}

/** As {@link sealingKey}, for A256GCM: to read only. */
export function gcmOpeningKey(engine: Engine, secret: string, salt: string): Awaitable<DerivedKey> {
  const { gcm } = cachesOf(engine);
  return gcm.get(salt, secret) ?? gcm.add(salt, secret, derive(engine, 'A256GCM', secret, salt, engine.gcmKey));
}

function derive<K extends OpeningKey>(
  engine: Engine,
  enc: ContentEncryption,
  secret: string,
  salt: string,
  makeKey: (bytes: Uint8Array<ArrayBuffer>) => Awaitable<K>,
): Awaitable<DerivedKey<K>> {
  if (secret === '') throw new TypeError('the secret is empty: set a random text of at least 32 characters');
  const [length, hash] = enc === 'A256CBC-HS512' ? ([64, 'sha512'] as const) : ([32, 'sha256'] as const);
  const info = `Auth.js Generated Encryption Key (${salt})`;
  return chain(engine.hkdf(secret, salt, info, length), (bytes) =>
    chain(engine.digest(hash, `{"k":"${toBase64Url(bytes)}","kty":"oct"}`, 'base64url'), (kid) =>
      chain(makeKey(bytes), (key) => {
        bytes.fill(0);
        const header = toBase64Url(new TextEncoder().encode(JSON.stringify({ alg: 'dir', enc, kid })));
        return { kid, header, key };
      }),
    ),
  );
}

interface Caches {
  readonly cbc: KeyCache<DerivedKey<SealingKey>>;
  readonly gcm: KeyCache<DerivedKey>;
}

/** There is one engine of each kind. */
const caches: Partial<Record<EngineKind, Caches>> = {};

function cachesOf({ kind }: Engine): Caches {
  caches[kind] ??= { cbc: new KeyCache(), gcm: new KeyCache() };
  return caches[kind];
}

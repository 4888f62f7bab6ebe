import type { Awaitable } from '../types.ts';
import { chain } from '../chain.ts';
import { fromBase64Url } from './decoding.ts';
import { toBase64Url } from './encoding.ts';
import { engine } from './engine.ts';

const HASHES: Readonly<Record<string, 'sha256' | 'sha384' | 'sha512'>> = {
  '256': 'sha256',
  '384': 'sha384',
  '512': 'sha512',
};

/**
 * The `at_hash` of an access token (OpenID Connect Core §3.1.3.6): left half of the hash that the ID token's signature
 * algorithm uses; for Ed25519 that is SHA-512.
 *
 * @param alg The `alg` of the ID token's header.
 * @returns `undefined` for an algorithm whose hash is not known here.
 */
export function accessTokenHash(accessToken: string, alg: string): Awaitable<string | undefined> {
  const hash = alg === 'EdDSA' || alg === 'Ed25519' ? 'sha512' : HASHES[alg.slice(-3)];
  if (hash === undefined) return undefined;
  return chain(engine().digest(hash, accessToken, 'base64url'), (digest) => {
    const bytes = fromBase64Url(digest);
    return bytes && toBase64Url(bytes.subarray(0, bytes.length / 2));
  });
}

import { toBase64Url } from './encoding.ts';

const HASHES: Readonly<Record<string, string>> = { '256': 'SHA-256', '384': 'SHA-384', '512': 'SHA-512' };

/**
 * The `at_hash` of an access token (OpenID Connect Core §3.1.3.6): left half of the hash that the ID token's signature
 * algorithm uses; for Ed25519 that is SHA-512.
 *
 * @param alg The `alg` of the ID token's header.
 * @returns `undefined` for an algorithm whose hash is not known here.
 */
export async function accessTokenHash(accessToken: string, alg: string): Promise<string | undefined> {
  const name = alg === 'EdDSA' || alg === 'Ed25519' ? 'SHA-512' : HASHES[alg.slice(-3)];
  if (name === undefined) return undefined;
  const hash = new Uint8Array(await crypto.subtle.digest(name, new TextEncoder().encode(accessToken)));
  return toBase64Url(hash.subarray(0, hash.length / 2));
}

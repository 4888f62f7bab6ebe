import { chain } from '../chain.ts';
import type { Awaitable } from '../types.ts';
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
  return chain(engine().digest(hash, accessToken, 'base64url'), leftHalf);
}

/** The left half of the bytes that a base64url text stands for, as such a text; of its last character only the bits that belong to it. */
function leftHalf(digest: string): string {
  const bits = Math.floor((digest.length * 6) / 8) * 4;
  const whole = Math.floor(bits / 6);
  const rest = bits % 6;
  if (rest === 0) return digest.slice(0, whole);
  const last = ALPHABET.indexOf(digest.charAt(whole)) & (63 << (6 - rest));
  return digest.slice(0, whole) + ALPHABET.charAt(last);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

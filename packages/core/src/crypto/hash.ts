import { equalBytes, fromBase64Url, toBase64Url, toHex } from './bytes.ts';
import { engine } from './engine.ts';

/** Returns the SHA-256 of a text's UTF-8 form, base64url without padding; the `S256` challenge of RFC 7636 §4.2. */
export async function sha256Base64Url(text: string): Promise<string> {
  return (await engine()).digest('sha256', text, 'base64url');
}

/** Returns the SHA-256 of a text's UTF-8 form, base64 with padding, as in a content security policy. */
export async function sha256Base64(text: string): Promise<string> {
  return (await engine()).digest('sha256', text, 'base64');
}

/** Returns the SHA-256 of a text's UTF-8 form: 64 characters of lower-case hexadecimal. */
export async function sha256Hex(text: string): Promise<string> {
  return (await engine()).digest('sha256', text, 'hex');
}

/**
 * Returns the HMAC-SHA-256 of a text under a key for one purpose, which HKDF (RFC 5869) derives from the secret: 64
 * characters of lower-case hexadecimal. Hashes for one purpose mean nothing for another.
 */
export async function purposeHash(secret: string, purpose: string, text: string): Promise<string> {
  const { hkdf, hmacSha256 } = await engine();
  const key = await hkdf(secret, '', `Latchkey ${purpose}`, 32);
  const hash = toHex(await hmacSha256(toBase64Url(key), text));
  key.fill(0);
  return hash;
}

/** Returns the HMAC-SHA-256 (RFC 2104) of a text's UTF-8 form: 32 bytes. */
export async function hmacSha256(secret: string, text: string): Promise<Uint8Array> {
  return (await engine()).hmacSha256(secret, text);
}

/**
 * Tests an HS256 signature (RFC 7518 §3.2), for ID tokens of providers that are configured with HS256.
 *
 * @param secret The client secret.
 * @param data The token's first two segments and the dot between them.
 */
export async function verifyHs256(secret: string, data: string, signature: Uint8Array): Promise<boolean> {
  return equalBytes(await hmacSha256(secret, data), signature);
}

const HASHES: Readonly<Record<string, 'sha256' | 'sha384' | 'sha512'>> = {
  '256': 'sha256',
  '384': 'sha384',
  '512': 'sha512',
};

/**
 * Returns the `at_hash` of an access token (OpenID Connect Core §3.1.3.6), which is the left half of its hash. The hash
 * function is that of the ID token's signature algorithm. For Ed25519 that is SHA-512.
 *
 * @param alg The `alg` of the ID token's header.
 * @returns undefined if the hash function of the algorithm is not known.
 */
export async function accessTokenHash(accessToken: string, alg: string): Promise<string | undefined> {
  const hash = alg === 'EdDSA' || alg === 'Ed25519' ? 'sha512' : HASHES[alg.slice(-3)];
  if (hash === undefined) return undefined;
  const digest = fromBase64Url(await (await engine()).digest(hash, accessToken, 'base64url'));
  return digest && toBase64Url(digest.subarray(0, digest.length / 2));
}

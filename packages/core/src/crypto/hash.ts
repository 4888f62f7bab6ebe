import { toBase64Url, toHex } from './bytes.ts';
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

import { chain } from '../chain.ts';
import type { Awaitable } from '../types.ts';
import { engine } from './engine.ts';
import { equalBytes } from './equal.ts';

/** SHA-256 of a text's UTF-8 form, base64url without padding; the `S256` challenge of RFC 7636 §4.2. */
export function sha256Base64Url(text: string): Awaitable<string> {
  return engine().digest('sha256', text, 'base64url');
}

/** SHA-256 of a text's UTF-8 form, base64 with padding; what a content security policy names. */
export function sha256Base64(text: string): Awaitable<string> {
  return engine().digest('sha256', text, 'base64');
}

/** HMAC-SHA-256 (RFC 2104) of a text's UTF-8 form, 32 bytes. */
export function hmacSha256(secret: string, text: string): Awaitable<Uint8Array> {
  return engine().hmacSha256(secret, text);
}

/**
 * Is `signature` the HS256 signature (RFC 7518 §3.2) of `data` under `secret`? For ID tokens of providers whose
 * configuration says HS256: `secret` is the client secret, `data` the token's first two segments with their dot.
 */
export function verifyHs256(secret: string, data: string, signature: Uint8Array): Awaitable<boolean> {
  return chain(engine().hmacSha256(secret, data), (expected) => equalBytes(expected, signature));
}

import { engine } from './engine.ts';

/** As many random bytes. */
export function randomBytes(bytes: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(bytes));
}

/** `bytes` random bytes as lower-case hexadecimal: twice as many characters. */
export function randomHex(bytes: number): string {
  return engine().random(bytes, 'hex');
}

/** `bytes` random bytes as base64url without padding: 32 bytes are 43 characters. */
export function randomBase64Url(bytes: number): string {
  return engine().random(bytes, 'base64url');
}

/** A random UUID (RFC 9562 §5.4): 122 random bits. */
export function randomUUID(): string {
  return crypto.randomUUID();
}

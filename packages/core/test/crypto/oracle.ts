import { createCipheriv, createHash, createHmac, hkdfSync } from 'node:crypto';
import { base64url, CompactEncrypt, compactDecrypt, FlattenedEncrypt } from 'jose';

type Enc = 'A256CBC-HS512' | 'A256GCM';

/** The key derivation of Auth.js v5, implemented independently with node:crypto. */
export function rawKey(secret: string, salt: string, length: number): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, salt, `Auth.js Generated Encryption Key (${salt})`, length));
}

/** The RFC 7638 thumbprint, implemented independently. */
export function thumbprint(key: Uint8Array): string {
  const hash = key.length === 64 ? 'sha512' : 'sha256';
  return createHash(hash)
    .update(JSON.stringify({ k: base64url.encode(key), kty: 'oct' }))
    .digest('base64url');
}

/** Properties of a token that other software makes. */
export interface Making {
  readonly secret: string;
  readonly salt: string;
  readonly enc?: Enc;
  /** Members after `alg` and `enc`. Default: the correct `kid`. */
  readonly header?: Record<string, unknown>;
  /** The whole protected header, in this order. */
  readonly wholeHeader?: Record<string, unknown>;
}

/** Makes a token with jose. */
export function joseToken(claims: object | string, making: Making): Promise<string> {
  const { secret, salt, enc = 'A256CBC-HS512' } = making;
  const key = rawKey(secret, salt, enc === 'A256GCM' ? 32 : 64);
  const header = making.wholeHeader ?? { alg: 'dir', enc, ...(making.header ?? { kid: thumbprint(key) }) };
  const text = typeof claims === 'string' ? claims : JSON.stringify(claims);
  return new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader(header as { alg: string; enc: string })
    .encrypt(key);
}

/** Makes a token with `crit`, which jose's compact serialization rejects. */
export async function joseTokenWithCrit(claims: object, { secret, salt }: Making): Promise<string> {
  const key = rawKey(secret, salt, 64);
  const {
    protected: header,
    iv,
    ciphertext,
    tag,
  } = await new FlattenedEncrypt(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256CBC-HS512', kid: thumbprint(key), crit: ['urn:ours'], 'urn:ours': 1 })
    .encrypt(key, { crit: { 'urn:ours': true } });
  return `${header}..${iv}.${ciphertext}.${tag}`;
}

/** Decrypts a token with jose. */
export async function joseClaims(token: string, secret: string, salt: string): Promise<Record<string, unknown>> {
  const { plaintext } = await compactDecrypt(token, rawKey(secret, salt, 64));
  return JSON.parse(new TextDecoder().decode(plaintext)) as Record<string, unknown>;
}

/**
 * Makes a correctly sealed token with any protected header, so that a rejection is due to the header alone.
 *
 * @param padding Replaces the correct padding of the plaintext.
 */
export function handSealed(header: string, plaintext: string, { secret, salt }: Making, padding?: number[]): string {
  const key = rawKey(secret, salt, 64);
  const segment = base64url.encode(header);
  const iv = new Uint8Array(16).fill(7);
  const cipher = createCipheriv('aes-256-cbc', key.subarray(32), iv).setAutoPadding(padding === undefined);
  const bytes = new Uint8Array([...new TextEncoder().encode(plaintext), ...(padding ?? [])]);
  const ciphertext = new Uint8Array([...cipher.update(bytes), ...cipher.final()]);
  const bits = new Uint8Array(8);
  new DataView(bits.buffer).setBigUint64(0, BigInt(segment.length * 8));
  const mac = createHmac('sha512', key.subarray(0, 32)).update(segment).update(iv).update(ciphertext).update(bits);
  const tag = new Uint8Array(mac.digest()).subarray(0, 32);
  return [segment, '', ...[iv, ciphertext, tag].map((part) => base64url.encode(part))].join('.');
}

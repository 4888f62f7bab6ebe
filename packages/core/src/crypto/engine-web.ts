import type { Awaitable } from '../types/user.ts';
import { equalBytes, fromBase64Url, fromUtf8, toBase64, toBase64Url, toHex } from './bytes.ts';

/** `node`: synchronous, over node:crypto. `web`: asynchronous, over WebCrypto, which every runtime has. */
export type EngineKind = 'node' | 'web';

/** The segments of a compact JWE (RFC 7516 §7.1) with direct encryption, base64url-encoded as in the token. */
export interface SealedParts {
  /** Protected header. It is authenticated exactly as it is encoded. */
  readonly header: string;
  readonly iv: string;
  readonly ciphertext: string;
  readonly tag: string;
}

/** A key that decrypts tokens. */
export interface OpeningKey {
  /** Returns the plaintext; undefined if the parts were sealed with another key or have been changed. */
  open(parts: SealedParts): Awaitable<string | undefined>;
}

/** A key of A256CBC-HS512 (RFC 7518 §5.2.5). */
export interface SealingKey extends OpeningKey {
  /** Returns the compact serialization (RFC 7516 §7.1), encrypted with a fresh random IV. */
  seal(header: string, plaintext: string): Awaitable<string>;
}

/** The cryptographic operations of the library. {@link webEngine} and `engine-node.ts` implement them. */
export interface Engine {
  readonly kind: EngineKind;
  /** Hashes a text's UTF-8 form. */
  digest(
    hash: 'sha256' | 'sha384' | 'sha512',
    text: string,
    encoding: 'hex' | 'base64' | 'base64url',
  ): Awaitable<string>;
  /** Computes the HMAC-SHA-256 (RFC 2104) of a text under a key, both in UTF-8. */
  hmacSha256(key: string, text: string): Awaitable<Uint8Array>;
  /** Derives bytes with HKDF-SHA-256 (RFC 5869). The caller overwrites the result after use. */
  hkdf(secret: string, salt: string, info: string, length: 32 | 64): Awaitable<Uint8Array<ArrayBuffer>>;
  /** Makes a key of A256CBC-HS512 from 64 bytes. The key does not refer to the bytes afterwards. */
  cbcKey(bytes: Uint8Array<ArrayBuffer>): Awaitable<SealingKey>;
  /** Makes a key of A256GCM (RFC 7518 §5.3) from 32 bytes. The key does not refer to the bytes afterwards. */
  gcmKey(bytes: Uint8Array<ArrayBuffer>): Awaitable<OpeningKey>;
}

type Bytes = Uint8Array<ArrayBuffer>;

const ENCODINGS = { hex: toHex, base64: toBase64, base64url: toBase64Url };
const HASHES = { sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' };

/** The portable engine, over WebCrypto. */
export const webEngine: Engine = {
  kind: 'web',
  digest: async (hash, text, encoding) =>
    ENCODINGS[encoding](new Uint8Array(await crypto.subtle.digest(HASHES[hash], utf8(text)))),
  async hmacSha256(key, text) {
    const imported = await hmacKey(utf8(key), 'SHA-256');
    return new Uint8Array(await crypto.subtle.sign('HMAC', imported, utf8(text)));
  },
  async hkdf(secret, salt, info, length) {
    const key = await crypto.subtle.importKey('raw', utf8(secret), 'HKDF', false, ['deriveBits']);
    const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: utf8(salt), info: utf8(info) };
    return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, length * 8));
  },
  cbcKey,
  gcmKey,
};

async function cbcKey(bytes: Bytes): Promise<SealingKey> {
  const [macKey, encryptionKey] = await Promise.all([
    hmacKey(bytes.subarray(0, 32), 'SHA-512'),
    crypto.subtle.importKey('raw', bytes.subarray(32), 'AES-CBC', false, ['encrypt', 'decrypt']),
  ]);

  /** The tag of RFC 7518 §5.2.2.1: half of the HMAC over AAD ‖ IV ‖ ciphertext ‖ length of the AAD in bits. */
  async function tagOf(header: string, iv: Bytes, ciphertext: Bytes): Promise<Bytes> {
    const aad = utf8(header);
    const input = new Uint8Array(aad.length + iv.length + ciphertext.length + 8);
    input.set(aad);
    input.set(iv, aad.length);
    input.set(ciphertext, aad.length + iv.length);
    new DataView(input.buffer).setBigUint64(input.length - 8, BigInt(aad.length * 8));
    return new Uint8Array(await crypto.subtle.sign('HMAC', macKey, input), 0, 32);
  }

  return {
    async seal(header, plaintext) {
      const iv = crypto.getRandomValues(new Uint8Array(16));
      const algorithm = { name: 'AES-CBC', iv };
      const ciphertext = new Uint8Array(await crypto.subtle.encrypt(algorithm, encryptionKey, utf8(plaintext)));
      const tag = await tagOf(header, iv, ciphertext);
      return `${header}..${toBase64Url(iv)}.${toBase64Url(ciphertext)}.${toBase64Url(tag)}`;
    },
    async open(parts) {
      const [iv, ciphertext, tag] = segments(parts);
      if (iv?.length !== 16 || tag?.length !== 32 || !ciphertext?.length || ciphertext.length % 16) return undefined;
      // The MAC is checked before the decryption starts; otherwise their difference in time is a padding oracle.
      // `subtle.verify` does not fit, because the tag is only half of the HMAC.
      if (!equalBytes(await tagOf(parts.header, iv, ciphertext), tag)) return undefined;
      return decrypted({ name: 'AES-CBC', iv }, encryptionKey, ciphertext);
    },
  };
}

async function gcmKey(bytes: Bytes): Promise<OpeningKey> {
  const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['decrypt']);
  return {
    async open(parts) {
      const [iv, ciphertext, tag] = segments(parts);
      if (iv?.length !== 12 || tag?.length !== 16 || !ciphertext) return undefined;
      const sealed = new Uint8Array(ciphertext.length + tag.length);
      sealed.set(ciphertext);
      sealed.set(tag, ciphertext.length);
      return decrypted({ name: 'AES-GCM', iv, additionalData: utf8(parts.header), tagLength: 128 }, key, sealed);
    },
  };
}

/** Returns the plaintext; undefined if the cipher rejects the padding (CBC) or the tag (GCM), or it is not UTF-8. */
async function decrypted(
  algorithm: AesCbcParams | AesGcmParams,
  key: CryptoKey,
  sealed: Bytes,
): Promise<string | undefined> {
  try {
    return fromUtf8(await crypto.subtle.decrypt(algorithm, key, sealed));
  } catch {
    return undefined;
  }
}

function segments(parts: SealedParts): (Bytes | undefined)[] {
  return [parts.iv, parts.ciphertext, parts.tag].map(fromBase64Url);
}

function hmacKey(bytes: Bytes, hash: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash }, false, ['sign']);
}

function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

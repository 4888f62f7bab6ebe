import { fromBase64Url } from './decoding.ts';
import { toBase64, toBase64Url, toHex } from './encoding.ts';
import type { Engine, OpeningKey, SealedParts, SealingKey } from './engine.ts';
import { equalBytes } from './equal.ts';
import { webVerifier } from './verifier-web.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const ENCODINGS = { hex: toHex, base64: toBase64, base64url: toBase64Url };
const HASHES = { sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' };

/** What the portable engine computes with: WebCrypto, with the keys kept as CryptoKeys. */
export const webEngine: Omit<Engine, 'random'> = {
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
  verifier: webVerifier,
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
      // In sequence, never together: a decryption that fails beside the check of the MAC is a padding oracle. And not by
      // `subtle.verify`, because the tag is only half of the HMAC.
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

/** `undefined` where the cipher refuses: a wrong tag in GCM; in CBC only what a maker with the key has padded wrongly. */
async function decrypted(
  algorithm: AesCbcParams | AesGcmParams,
  key: CryptoKey,
  sealed: Bytes,
): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, sealed));
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

import { fromUtf8 } from './bytes.ts';
import type { Engine, OpeningKey, SealingKey } from './engine-web.ts';

const IV_LENGTH = 16;
const TAG_LENGTH = 32;

/** Returns the synchronous engine; undefined if the runtime has no node:crypto. */
export function nodeEngine(): Engine | undefined {
  const modules = nodeModules();
  if (!modules) return undefined;
  const { crypto } = modules;
  return {
    kind: 'node',
    // One call costs half as much as three.
    digest: crypto.hash ?? ((hash, text, encoding) => crypto.createHash(hash).update(text, 'utf8').digest(encoding)),
    hmacSha256: (key, text) => crypto.createHmac('sha256', key).update(text, 'utf8').digest(),
    hkdf: (secret, salt, info, length) => new Uint8Array(crypto.hkdfSync('sha256', secret, salt, info, length)),
    cbcKey: (bytes) => cbcKey(modules, bytes),
    gcmKey: (bytes) => gcmKey(modules, bytes),
  };
}

/** A key of A256CBC-HS512. RFC 7518 §5.2.2: the first half of the bytes is for the MAC, the second for the cipher. */
function cbcKey({ crypto, Buffer }: NodeModules, bytes: Uint8Array): SealingKey {
  const macKey = crypto.createSecretKey(bytes.subarray(0, 32));
  const encryptionKey = crypto.createSecretKey(bytes.subarray(32));

  /** The tag of RFC 7518 §5.2.2.1: half of the HMAC over header ‖ IV ‖ ciphertext ‖ length of the header in bits. */
  function tagOf(header: string, iv: Uint8Array, ciphertext: Uint8Array): NodeBuffer {
    // One buffer and one call of `update` cost less than four calls.
    const input = Buffer.allocUnsafe(header.length + iv.length + ciphertext.length + 8);
    input.write(header, 0, 'latin1');
    input.set(iv, header.length);
    input.set(ciphertext, header.length + iv.length);
    // The length has 64 bits. The upper 32 are 0, because a token is shorter than 512 MB.
    input.writeUInt32BE(0, input.length - 8);
    input.writeUInt32BE(header.length * 8, input.length - 4);
    return crypto.createHmac('sha512', macKey).update(input).digest().subarray(0, TAG_LENGTH);
  }

  return {
    seal(header, plaintext) {
      // Drawn for each token: bytes that are drawn ahead would occur twice in copies of the process's memory.
      const iv = crypto.randomFillSync(Buffer.allocUnsafe(IV_LENGTH));
      const cipher = crypto.createCipheriv('aes-256-cbc', encryptionKey, iv);
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      const tag = tagOf(header, iv, ciphertext);
      return `${header}..${iv.toString('base64url')}.${ciphertext.toString('base64url')}.${tag.toString('base64url')}`;
    },
    open(parts) {
      const iv = Buffer.from(parts.iv, 'base64url');
      const ciphertext = Buffer.from(parts.ciphertext, 'base64url');
      const tag = Buffer.from(parts.tag, 'base64url');
      if (iv.length !== IV_LENGTH || tag.length !== TAG_LENGTH) return undefined;
      // The MAC is checked first. Otherwise an attacker without the key could learn whether the padding is correct.
      if (!crypto.timingSafeEqual(tagOf(parts.header, iv, ciphertext), tag)) return undefined;
      return decrypted(Buffer, crypto.createDecipheriv('aes-256-cbc', encryptionKey, iv), ciphertext);
    },
  };
}

/** A key of A256GCM, for tokens that other software has made. */
function gcmKey({ crypto, Buffer }: NodeModules, bytes: Uint8Array): OpeningKey {
  const key = crypto.createSecretKey(bytes);
  return {
    open(parts) {
      const iv = Buffer.from(parts.iv, 'base64url');
      const tag = Buffer.from(parts.tag, 'base64url');
      if (iv.length !== 12 || tag.length !== 16) return undefined;
      const decipher = crypto.createDecipheriv('aes-256-gcm', key, iv, { authTagLength: 16 });
      decipher.setAAD(Buffer.from(parts.header, 'latin1'));
      decipher.setAuthTag(tag);
      return decrypted(Buffer, decipher, Buffer.from(parts.ciphertext, 'base64url'));
    },
  };
}

/** Returns the plaintext; undefined if the cipher rejects the padding (CBC) or the tag (GCM), or it is not UTF-8. */
function decrypted(Buffer: NodeBufferConstructor, decipher: Transform, ciphertext: NodeBuffer): string | undefined {
  try {
    // Joined before decoding, because a character can span two blocks.
    return fromUtf8(Buffer.concat([decipher.update(ciphertext), decipher.final()]));
  } catch {
    return undefined;
  }
}

/**
 * Returns Node's modules if the runtime has them (Node.js, Bun, Deno, workerd with its compatibility flag). They are
 * not imported, so that a bundle for any other runtime can be built. Call this function inside a request only.
 */
function nodeModules(): NodeModules | undefined {
  try {
    const { process } = globalThis as NodeGlobals;
    const crypto = process?.getBuiltinModule?.('node:crypto');
    const buffer = process?.getBuiltinModule?.('node:buffer');
    if (typeof crypto?.hkdfSync !== 'function' || !buffer?.Buffer) return undefined;
    return { crypto, Buffer: buffer.Buffer };
  } catch {
    // Next's edge runtime has the function, but it throws.
    return undefined;
  }
}

// The types of Node.js are described here, because other runtimes may not have `@types/node`.

interface NodeGlobals {
  readonly process?: {
    getBuiltinModule?(id: 'node:crypto'): NodeCrypto | undefined;
    getBuiltinModule?(id: 'node:buffer'): { Buffer?: NodeBufferConstructor } | undefined;
  };
}

interface NodeModules {
  readonly crypto: NodeCrypto;
  readonly Buffer: NodeBufferConstructor;
}

interface NodeCrypto {
  createSecretKey(key: Uint8Array): NodeKey;
  createHmac(hash: string, key: NodeKey | string): Digest;
  createHash(hash: string): Digest;
  /** Since Node.js 20.12 and 21.7. */
  hash?: (hash: string, text: string, encoding: string) => string;
  createCipheriv(cipher: string, key: NodeKey, iv: Uint8Array): Transform;
  createDecipheriv(cipher: 'aes-256-cbc', key: NodeKey, iv: Uint8Array): Transform;
  createDecipheriv(
    cipher: 'aes-256-gcm',
    key: NodeKey,
    iv: Uint8Array,
    options: { authTagLength: number },
  ): AuthenticatedTransform;
  hkdfSync(hash: string, key: string, salt: string, info: string, length: number): ArrayBuffer;
  randomFillSync(buffer: NodeBuffer): NodeBuffer;
  timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean;
}

/** A secret key inside OpenSSL. Using it costs a fifth of using its bytes. */
interface NodeKey {
  readonly type: 'secret';
}

interface Transform {
  update(data: Uint8Array): NodeBuffer;
  update(text: string, encoding: 'utf8'): NodeBuffer;
  final(): NodeBuffer;
}

interface AuthenticatedTransform extends Transform {
  setAAD(data: Uint8Array): void;
  setAuthTag(tag: Uint8Array): void;
}

interface Digest {
  update(data: Uint8Array): Digest;
  update(text: string, encoding: 'utf8'): Digest;
  digest(): NodeBuffer;
  digest(encoding: string): string;
}

interface NodeBuffer extends Uint8Array<ArrayBuffer> {
  toString(encoding?: string): string;
  write(text: string, offset: number, encoding: string): number;
  writeUInt32BE(value: number, offset: number): number;
  subarray(start: number, end: number): NodeBuffer;
}

interface NodeBufferConstructor {
  allocUnsafe(size: number): NodeBuffer;
  from(text: string, encoding: string): NodeBuffer;
  concat(parts: readonly Uint8Array[]): NodeBuffer;
}

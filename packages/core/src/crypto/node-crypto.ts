import type { PublicJwk } from './jws.ts';

/** A buffer, as far as we use it. */
export interface NodeBuffer extends Uint8Array<ArrayBuffer> {
  toString(encoding?: string, start?: number, end?: number): string;
  write(text: string, offset: number, encoding: string): number;
  writeUInt32BE(value: number, offset: number): number;
  subarray(start: number, end: number): NodeBuffer;
}

/** A secret key inside the crypto library; using it costs a fifth of using its bytes. */
export interface NodeKey {
  readonly type: 'secret';
}

/** A public key inside the crypto library. */
export interface NodePublicKey {
  readonly type: 'public';
  readonly asymmetricKeyDetails?: { readonly modulusLength?: number };
}

interface Transform {
  update(data: Uint8Array): NodeBuffer;
  update(text: string, encoding: 'utf8'): NodeBuffer;
  final(): NodeBuffer;
  setAutoPadding(isOn: boolean): void;
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

/** The parts of node:crypto that we use. */
export interface NodeCrypto {
  createSecretKey(key: Uint8Array): NodeKey;
  createHmac(hash: string, key: NodeKey | string): Digest;
  createHash(hash: string): Digest;
  /** Node from 20.12, 21.7; not everywhere that has the rest. */
  hash?: (hash: string, text: string, encoding: string) => string;
  createCipheriv(cipher: string, key: NodeKey, iv: Uint8Array): Transform;
  createDecipheriv(cipher: 'aes-256-cbc', key: NodeKey, iv: Uint8Array): Transform;
  createDecipheriv(
    cipher: 'aes-256-gcm',
    key: NodeKey,
    iv: Uint8Array,
    options: { authTagLength: number },
  ): AuthenticatedTransform;
  createPublicKey(input: { key: PublicJwk; format: 'jwk' }): NodePublicKey;
  verify(
    hash: string | undefined,
    data: Uint8Array,
    how: NodePublicKey | { key: NodePublicKey; padding?: number; saltLength?: number; dsaEncoding?: 'ieee-p1363' },
    signature: Uint8Array,
  ): boolean;
  hkdfSync(hash: string, key: string, salt: string, info: string, length: number): ArrayBuffer;
  randomFillSync(buffer: Uint8Array): void;
  timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean;
}

/** The parts of node:buffer's `Buffer` that we use. */
export interface NodeBufferConstructor {
  allocUnsafe(size: number): NodeBuffer;
  /** Bytes of the text in UTF-8. */
  byteLength(text: string): number;
  from(text: string, encoding: string): NodeBuffer;
  concat(parts: readonly Uint8Array[]): NodeBuffer;
}

/** Both. */
export interface NodeModules {
  readonly crypto: NodeCrypto;
  readonly Buffer: NodeBufferConstructor;
}

/**
 * Node's own modules where the runtime has them (Node, Bun, Deno, workerd with its compatibility flag), found without an
 * import, so that a bundle for any other runtime stays whole. Call it inside a request only.
 */
export function nodeModules(): NodeModules | undefined {
  try {
    const { process } = globalThis as { process?: { getBuiltinModule?(id: string): unknown } };
    const crypto = process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;
    const buffer = process?.getBuiltinModule?.('node:buffer') as { Buffer?: NodeBufferConstructor } | undefined;
    if (typeof crypto?.hkdfSync !== 'function' || !buffer?.Buffer) return undefined;
    return { crypto, Buffer: buffer.Buffer };
  } catch {
    // Next's edge runtime has the function but throws when it is called.
    return undefined;
  }
}

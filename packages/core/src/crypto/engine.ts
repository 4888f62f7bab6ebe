import type { Awaitable } from '../types.ts';
import { nodeEngine } from './engine-node.ts';
import { portableEngine } from './engine-portable.ts';
import type { JwsAlgorithm, PublicJwk, Verify } from './jws.ts';

/** `node`: synchronous, over node:crypto. `web`: asynchronous, over WebCrypto, available everywhere. */
export type EngineKind = 'node' | 'web';

/** The variable segments of a compact JWE (RFC 7516 §7.1) whose key is used directly, as they stand in the text. */
export interface SealedParts {
  /** Encoded protected header; authenticated as it stands. */
  readonly header: string;
  readonly iv: string;
  readonly ciphertext: string;
  readonly tag: string;
}

/** A key that opens. */
export interface OpeningKey {
  /** @returns the plaintext, or `undefined` when the parts were not sealed with this key or were changed since. */
  open(parts: SealedParts): Awaitable<string | undefined>;
}

/** A key of A256CBC-HS512 (RFC 7518 §5.2.5). */
export interface SealingKey extends OpeningKey {
  /** @returns the compact serialization, with a fresh random IV. */
  seal(header: string, plaintext: string): Awaitable<string>;
}

/** The cryptography that the library needs, so small that two engines can have it. */
export interface Engine {
  readonly kind: EngineKind;
  /** Hash of a text's UTF-8 form. */
  digest(
    hash: 'sha256' | 'sha384' | 'sha512',
    text: string,
    encoding: 'hex' | 'base64' | 'base64url',
  ): Awaitable<string>;
  /** Random bytes as text; base64url without padding. */
  random(bytes: number, encoding: 'hex' | 'base64url'): string;
  /** HMAC-SHA-256 (RFC 2104) of a text under a text, both in UTF-8. */
  hmacSha256(key: string, text: string): Awaitable<Uint8Array>;
  /** HKDF-SHA-256 (RFC 5869); the result is the caller's, to be zeroed after use. */
  hkdf(secret: string, salt: string, info: string, length: 32 | 64): Awaitable<Uint8Array<ArrayBuffer>>;
  /** A key of A256CBC-HS512. The 64 bytes are not kept. */
  cbcKey(bytes: Uint8Array<ArrayBuffer>): Awaitable<SealingKey>;
  /** Checks signatures under a public key; `undefined` where that key or algorithm is of no use here. */
  verifier(jwk: PublicJwk, algorithm: JwsAlgorithm): Awaitable<Verify | undefined>;
  /** A key of A256GCM (RFC 7518 §5.3), to read tokens of other makers. The 32 bytes are not kept. */
  gcmKey(bytes: Uint8Array<ArrayBuffer>): Awaitable<OpeningKey>;
}

const engines: Partial<Record<EngineKind | 'chosen', Engine | undefined>> = {};

/**
 * The engine for this runtime, chosen at the first call and never at import: some runtimes refuse such calls outside a
 * request. Synchronous where node:crypto can be had; on Cloudflare workers WebCrypto is the faster.
 */
export function engine(): Engine {
  engines.chosen ??= (!isCloudflare() && engineFor('node')) || engineFor('web');
  return engines.chosen;
}

/**
 * The internal switch with which the tests run everything on both engines, and the test of a new runtime can.
 *
 * @param kind `undefined` chooses anew at the next use.
 * @throws {TypeError} when this runtime has no synchronous node:crypto.
 */
export function switchEngine(kind: EngineKind | undefined): void {
  engines.chosen = kind && engineFor(kind);
  if (kind && !engines.chosen) throw new TypeError('this runtime has no synchronous node:crypto');
}

function engineFor(kind: 'web'): Engine;
function engineFor(kind: EngineKind): Engine | undefined;
function engineFor(kind: EngineKind): Engine | undefined {
  engines[kind] ??= kind === 'web' ? portableEngine() : nodeEngine();
  return engines[kind];
}

/** Only Cloudflare's runtime has such a class. Asked for `navigator`, which tells as well, Node would load a module at each start. */
function isCloudflare(): boolean {
  return 'WebSocketPair' in globalThis;
}

import { toBase64Url, toHex } from './encoding.ts';
import type { Engine } from './engine.ts';

const ENCODINGS = { hex: toHex, base64url: toBase64Url };

/**
 * The portable engine. What it computes with is imported at the first use, so that runtimes with node:crypto never load it; it answers
 * with promises anyway.
 */
export function portableEngine(): Engine {
  const at: { hand?: Omit<Engine, 'random'> } = {};
  const web = async (): Promise<Omit<Engine, 'random'>> => (at.hand ??= (await import('./engine-web.ts')).webEngine);
  return {
    kind: 'web',
    digest: async (hash, text, encoding) => (await web()).digest(hash, text, encoding),
    random: (bytes, encoding) => ENCODINGS[encoding](crypto.getRandomValues(new Uint8Array(bytes))),
    hmacSha256: async (key, text) => (await web()).hmacSha256(key, text),
    hkdf: async (secret, salt, info, length) => (await web()).hkdf(secret, salt, info, length),
    cbcKey: async (bytes) => (await web()).cbcKey(bytes),
    verifier: async (jwk, algorithm) => (await web()).verifier(jwk, algorithm),
    gcmKey: async (bytes) => (await web()).gcmKey(bytes),
  };
}

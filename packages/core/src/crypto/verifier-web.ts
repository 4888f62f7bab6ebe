import { type JwsAlgorithm, LEAST_RSA_BITS, type PublicJwk, type Verify } from './jws.ts';

const HASHES = { sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' };
const NAMES = { pkcs1: 'RSASSA-PKCS1-v1_5', pss: 'RSA-PSS', ecdsa: 'ECDSA', eddsa: 'Ed25519' };

/** Checks signatures with WebCrypto. `undefined` for a key that cannot be used, or not on this runtime. */
export async function webVerifier(jwk: PublicJwk, { scheme, hash, crv }: JwsAlgorithm): Promise<Verify | undefined> {
  const digest = hash && HASHES[hash];
  const algorithm = { name: NAMES[scheme], ...(digest && { hash: digest }) };
  try {
    const key = await crypto.subtle.importKey('jwk', jwk, { ...algorithm, namedCurve: crv ?? '' }, false, ['verify']);
    const { modulusLength = LEAST_RSA_BITS } = key.algorithm as { modulusLength?: number };
    if (modulusLength < LEAST_RSA_BITS) return undefined;
    // The salt is as long as the hash (RFC 7518 §3.5).
    const how = { ...algorithm, saltLength: Number(hash?.slice(3)) / 8 };
    return (data, signature) => crypto.subtle.verify(how, key, signature, new TextEncoder().encode(data));
  } catch {
    return undefined;
  }
}

import type { Awaitable } from '../types.ts';

/** The members of a JWK (RFC 7517) that a public signing key has. */
export interface PublicJwk {
  readonly kty?: string;
  readonly crv?: string;
  readonly n?: string;
  readonly e?: string;
  readonly x?: string;
  readonly y?: string;
}

/** Is `signature` that of `data`, which is ASCII, under the key that this was made of? */
export type Verify = (data: string, signature: Uint8Array<ArrayBuffer>) => Awaitable<boolean>;

/** A signature algorithm of JWS (RFC 7518 §3.1, RFC 8037 §3.1). */
export interface JwsAlgorithm {
  readonly scheme: 'pkcs1' | 'pss' | 'ecdsa' | 'eddsa';
  readonly kty: 'RSA' | 'EC' | 'OKP';
  /** Without one, the key's `crv` says nothing. */
  readonly crv?: string;
  /** None where the scheme hashes by itself. */
  readonly hash?: 'sha256' | 'sha384' | 'sha512';
}

/** Fewer are refused (RFC 7518 §3.3). */
export const LEAST_RSA_BITS = 2048;

/** Public-key algorithms by their `alg`. No `none`, and no MAC: a public key is no secret. */
export const JWS_ALGORITHMS: ReadonlyMap<string, JwsAlgorithm> = new Map<string, JwsAlgorithm>([
  ...([256, 384, 512] as const).flatMap((bits): [string, JwsAlgorithm][] => [
    [`RS${bits}`, { scheme: 'pkcs1', kty: 'RSA', hash: `sha${bits}` }],
    [`PS${bits}`, { scheme: 'pss', kty: 'RSA', hash: `sha${bits}` }],
    [`ES${bits}`, { scheme: 'ecdsa', kty: 'EC', crv: `P-${bits === 512 ? 521 : bits}`, hash: `sha${bits}` }],
  ]),
  ['EdDSA', { scheme: 'eddsa', kty: 'OKP', crv: 'Ed25519' }],
  ['Ed25519', { scheme: 'eddsa', kty: 'OKP', crv: 'Ed25519' }],
]);

import { createHash, generateKeyPairSync } from 'node:crypto';
import { CompactSign, exportJWK, generateKeyPair } from 'jose';
import { describe, expect, it } from 'vitest';
import { accessTokenHash } from '../../src/crypto/access-token-hash.ts';
import { engine } from '../../src/crypto/engine.ts';
import { JWS_ALGORITHMS, type JwsAlgorithm, type PublicJwk, type Verify } from '../../src/crypto/jws.ts';
import { onEachEngine } from './engines.ts';

const text = new TextEncoder();
const algorithms = [...JWS_ALGORITHMS.keys()];

interface Signed {
  readonly jwk: PublicJwk;
  /** The signature's base: header and claims. */
  readonly data: string;
  readonly signature: Uint8Array<ArrayBuffer>;
}

const made = new Map<string, Promise<Signed>>();

/** Signed by jose, once for both engines. */
function signed(alg: string): Promise<Signed> {
  const known = made.get(alg) ?? sign(alg);
  made.set(alg, known);
  return known;
}

async function sign(alg: string): Promise<Signed> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jws = await new CompactSign(text.encode('{"sub":"ada"}')).setProtectedHeader({ alg }).sign(privateKey);
  const end = jws.lastIndexOf('.');
  const { kty = '', crv, n, e, x, y } = await exportJWK(publicKey);
  const jwk = JSON.parse(JSON.stringify({ kty, crv, n, e, x, y })) as PublicJwk;
  return { jwk, data: jws.slice(0, end), signature: new Uint8Array(Buffer.from(jws.slice(end + 1), 'base64url')) };
}

async function verifierOf(jwk: PublicJwk, alg: string): Promise<Verify | undefined> {
  return engine().verifier(jwk, JWS_ALGORITHMS.get(alg) as JwsAlgorithm);
}

describe('the signature algorithms', () => {
  it('are those of RFC 7518 and RFC 8037 with public keys', () => {
    expect(algorithms.sort()).toEqual(
      ['ES256', 'ES384', 'ES512', 'Ed25519', 'EdDSA', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'].sort(),
    );
  });

  it.each([
    ['RS256', 'RSA', undefined],
    ['PS512', 'RSA', undefined],
    ['ES256', 'EC', 'P-256'],
    ['ES384', 'EC', 'P-384'],
    ['ES512', 'EC', 'P-521'],
    ['EdDSA', 'OKP', 'Ed25519'],
    ['Ed25519', 'OKP', 'Ed25519'],
  ])('%s has keys of type %s on %s', (alg, kty, crv) => {
    expect(JWS_ALGORITHMS.get(alg)).toMatchObject({ kty });
    expect(JWS_ALGORITHMS.get(alg)?.crv).toBe(crv);
  });
});

describe('a verifier', () => {
  onEachEngine(() => {
    it.each(algorithms)('of %s knows what jose has signed, and nothing else', async (alg) => {
      const { jwk, data, signature } = await signed(alg);
      const verify = await verifierOf(jwk, alg);
      expect(await verify?.(data, signature)).toBe(true);
      expect(await verify?.(`${data}x`, signature)).toBe(false);
      expect(await verify?.(data, signature.with(9, (signature[9] as number) ^ 1))).toBe(false);
      expect(await verify?.(data, signature.slice(1))).toBe(false);
      expect(await verify?.(data, new Uint8Array())).toBe(false);
    });

    it.each([
      ['RS256', 'PS256'],
      ['PS256', 'RS256'],
      ['RS256', 'RS384'],
      ['PS384', 'PS512'],
    ])('does not take a signature of %s for one of %s', async (alg, other) => {
      const { jwk, data, signature } = await signed(alg);
      const verify = await verifierOf(jwk, other);
      expect(await verify?.(data, signature)).toBe(false);
    });

    it('takes no RSA key of fewer than 2048 bits, and none that is broken', async () => {
      const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' });
      for (const alg of ['RS256', 'PS256']) expect(await verifierOf(short as PublicJwk, alg)).toBeUndefined();
      const { jwk } = await signed('ES256');
      expect(await verifierOf({ ...jwk, x: 'AA' }, 'ES256')).toBeUndefined();
      expect(await verifierOf({}, 'EdDSA')).toBeUndefined();
    });
  });
});

describe('the hash of an access token', () => {
  onEachEngine(() => {
    it.each([
      ['RS256', 'sha256', 16],
      ['ES384', 'sha384', 24],
      ['PS512', 'sha512', 32],
      ['EdDSA', 'sha512', 32],
      ['Ed25519', 'sha512', 32],
    ])('under %s is half of %s', async (alg, hash, bytes) => {
      const half = createHash(hash).update('an access token').digest().subarray(0, bytes);
      expect(await accessTokenHash('an access token', alg)).toBe(half.toString('base64url'));
    });

    it.each(['none', 'ES128', 'Ed448', ''])('under %j is not known', async (alg) => {
      expect(await accessTokenHash('an access token', alg)).toBeUndefined();
    });
  });
});

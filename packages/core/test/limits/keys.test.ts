import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { engine } from '../../src/crypto/engine.ts';
import { JWS_ALGORITHMS, type JwsAlgorithm } from '../../src/crypto/jws.ts';
import { KeyCache } from '../../src/crypto/key-cache.ts';
import { onEachEngine } from '../crypto/engines.ts';

const pairs = [2048, 2047].map((modulusLength) => generateKeyPairSync('rsa', { modulusLength }));
const algorithm = JWS_ALGORITHMS.get('RS256') as JwsAlgorithm;

describe('an RSA key', () => {
  onEachEngine(() => {
    it('of 2048 bits verifies, a shorter one does not', async () => {
      const verdicts = pairs.map(async ({ privateKey, publicKey }: Record<'privateKey' | 'publicKey', KeyObject>) => {
        const verify = await engine().verifier(publicKey.export({ format: 'jwk' }), algorithm);
        return verify?.('text', new Uint8Array(sign('sha256', Buffer.from('text'), privateKey)));
      });
      expect(await Promise.all(verdicts)).toEqual([true, undefined]);
    });
  });
});

describe('derived keys', () => {
  it('are kept for 256 pairs of secret and salt; the next one takes the place of the oldest', async () => {
    const cache = new KeyCache<number>();
    for (let index = 0; index < 256; index++) await cache.add('salt', `secret ${index}`, index);
    expect([cache.size, cache.get('salt', 'secret 0')]).toEqual([256, 0]);
    await cache.add('salt', 'one more', 256);
    expect([cache.size, cache.get('salt', 'secret 0'), cache.get('salt', 'secret 1')]).toEqual([256, undefined, 1]);
  });
});

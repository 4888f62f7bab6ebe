import { Buffer } from 'node:buffer';
import { createCipheriv, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { engine, type SealedParts } from '../../src/crypto/engine.ts';
import { onEachEngine } from './engines.ts';

const header = 'eyJhbGciOiJkaXIifQ';
const bytesOf = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(randomBytes(length));
const encoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** Sealed with AES-256-GCM under this key, with an IV of so many bytes. */
function gcmParts(key: Uint8Array, ivLength: number): SealedParts {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(header, 'latin1'));
  const ciphertext = Buffer.concat([cipher.update('{}'), cipher.final()]);
  return { header, iv: encoded(iv), ciphertext: encoded(ciphertext), tag: encoded(cipher.getAuthTag()) };
}

async function cbcParts(bytes: Uint8Array<ArrayBuffer>): Promise<SealedParts> {
  const key = await engine().cbcKey(bytes);
  const [, , iv = '', ciphertext = '', tag = ''] = (await key.seal(header, '{}')).split('.');
  return { header, iv, ciphertext, tag };
}

describe('the parts of a token, each of which has one length', () => {
  onEachEngine(() => {
    it('open in A256CBC-HS512 as they were, and not when one is shorter, longer, or no base64url', async () => {
      const bytes = bytesOf(64);
      const parts = await cbcParts(bytes);
      const key = await engine().cbcKey(bytes);
      expect(await key.open(parts)).toBe('{}');
      for (const name of ['iv', 'ciphertext', 'tag'] as const) {
        const own = Buffer.from(parts[name], 'base64url');
        const others = [encoded(own.subarray(1)), encoded(Buffer.concat([own, Buffer.alloc(1)])), '', '!'];
        for (const other of others) expect(await key.open({ ...parts, [name]: other }), name).toBeUndefined();
      }
    });

    it('open in A256GCM with an IV of 96 bits only, also for somebody who has the key', async () => {
      const bytes = bytesOf(32);
      const [right, long] = [gcmParts(bytes, 12), gcmParts(bytes, 16)];
      const key = await engine().gcmKey(bytes);
      expect(await key.open(right)).toBe('{}');
      expect(await key.open(long)).toBeUndefined();
      for (const tag of [right.tag.slice(0, 16), '', '!']) expect(await key.open({ ...right, tag })).toBeUndefined();
    });
  });
});

import { Buffer } from 'node:buffer';
import { createCipheriv, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { engine } from '../../src/crypto/engine.ts';
import type { SealedParts } from '../../src/crypto/engine-web.ts';
import { onEachEngine } from './engines.ts';

const header = 'eyJhbGciOiJkaXIifQ';
const bytesOf = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(randomBytes(length));
const encoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** Encrypts with AES-256-GCM and an IV of `ivLength` bytes. */
function gcmParts(key: Uint8Array, ivLength: number): SealedParts {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(header, 'latin1'));
  const ciphertext = Buffer.concat([cipher.update('{}'), cipher.final()]);
  return { header, iv: encoded(iv), ciphertext: encoded(ciphertext), tag: encoded(cipher.getAuthTag()) };
}

async function cbcParts(bytes: Uint8Array<ArrayBuffer>): Promise<SealedParts> {
  const key = await (await engine()).cbcKey(bytes);
  const [, , iv = '', ciphertext = '', tag = ''] = (await key.seal(header, '{}')).split('.');
  return { header, iv, ciphertext, tag };
}

describe('the segments of a token', () => {
  onEachEngine(() => {
    it('with A256CBC-HS512 open unchanged, but not if one is shorter, longer, or not base64url', async () => {
      const bytes = bytesOf(64);
      const parts = await cbcParts(bytes);
      const key = await (await engine()).cbcKey(bytes);
      expect(await key.open(parts)).toBe('{}');
      for (const name of ['iv', 'ciphertext', 'tag'] as const) {
        const own = Buffer.from(parts[name], 'base64url');
        const others = [encoded(own.subarray(1)), encoded(Buffer.concat([own, Buffer.alloc(1)])), '', '!'];
        for (const other of others) expect(await key.open({ ...parts, [name]: other }), name).toBeUndefined();
      }
    });

    it('with A256GCM open with an IV of 96 bits only', async () => {
      const bytes = bytesOf(32);
      const [right, long] = [gcmParts(bytes, 12), gcmParts(bytes, 16)];
      const key = await (await engine()).gcmKey(bytes);
      expect(await key.open(right)).toBe('{}');
      expect(await key.open(long)).toBeUndefined();
      for (const tag of [right.tag.slice(0, 16), '', '!']) expect(await key.open({ ...right, tag })).toBeUndefined();
    });
  });
});

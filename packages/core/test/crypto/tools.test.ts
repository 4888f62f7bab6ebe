import { Buffer } from 'node:buffer';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  equal,
  equalBytes,
  fromBase64Url,
  randomBase64Url,
  randomHex,
  toBase64,
  toBase64Url,
  toHex,
} from '../../src/crypto/bytes.ts';
import { hmacSha256, sha256Base64, sha256Base64Url, sha256Hex } from '../../src/crypto/hash.ts';
import { onEachEngine } from './engines.ts';

describe('hashes', () => {
  onEachEngine(() => {
    it.each(['', 'abc', 'Grüße 😀', 'x'.repeat(10_000)])('match node:crypto for %.20s', async (text) => {
      const hash = createHash('sha256').update(text);
      expect(await sha256Hex(text)).toBe(hash.copy().digest('hex'));
      expect(await sha256Base64(text)).toBe(hash.copy().digest('base64'));
      expect(await sha256Base64Url(text)).toBe(hash.copy().digest('base64url'));
    });

    it('match the S256 challenge of RFC 7636 appendix B', async () => {
      const challenge = await sha256Base64Url('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk');
      expect(challenge).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
    });

    it('match node:crypto for an HMAC whose key and text are not ASCII', async () => {
      const expected = new Uint8Array(createHmac('sha256', 'sécret').update('ä.b').digest());
      expect(new Uint8Array(await hmacSha256('sécret', 'ä.b'))).toEqual(expected);
    });
  });
});

describe('encodings', () => {
  it('agree with Buffer for every length', () => {
    for (let length = 0; length < 70; length++) {
      const bytes = new Uint8Array(randomBytes(length));
      const buffer = Buffer.from(bytes);
      expect(toBase64Url(bytes)).toBe(buffer.toString('base64url'));
      expect(toBase64(bytes)).toBe(buffer.toString('base64'));
      expect(toHex(bytes)).toBe(buffer.toString('hex'));
      expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes);
    }
  });

  it.each(['A', 'AAAAA', 'AA=', 'A A', 'AA==', 'a+b/', 'ä', 'AA\n'])('reject %j', (text) => {
    expect(fromBase64Url(text)).toBeUndefined();
  });
});

describe('random texts', () => {
  it('have the documented shape and differ', () => {
    expect(randomHex(32)).toMatch(/^[\da-f]{64}$/);
    expect(randomBase64Url(32)).toMatch(/^[\w-]{43}$/);
    expect(crypto.randomUUID()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(new Set(Array.from({ length: 100 }, () => randomHex(16))).size).toBe(100);
  });
});

describe('equal', () => {
  it.each(
    // biome-ignore format: a list to be read across
    [
      ['', '', true], ['abc', 'abc', true], ['abc', 'abd', false], ['abc', 'Abc', false], ['abc', 'abcd', false],
      ['', 'a', false], ['😀', '😀', true], ['é', 'e\u0301', false], ['\ud800', '\ud801', false],
      ['\ud800', '\ufffd', false], ['\u0100', '\u0000', false],
    ],
  )('compares %j and %j: %s', (a, b, same) => {
    expect(equal(a, b)).toBe(same);
    expect(equal(b, a)).toBe(same);
  });

  it('compares bytes', () => {
    expect(equalBytes(new Uint8Array([1, 2]), new Uint8Array([1, 2]))).toBe(true);
    expect(equalBytes(new Uint8Array([1, 2]), new Uint8Array([1, 3]))).toBe(false);
    expect(equalBytes(new Uint8Array([1, 2]), new Uint8Array([1]))).toBe(false);
    expect(equalBytes(new Uint8Array([1]), new Uint8Array([1, 2]))).toBe(false);
    expect(equalBytes(new Uint8Array([1, 0]), new Uint8Array([1]))).toBe(false);
  });
});

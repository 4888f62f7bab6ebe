import { describe, expect, it, vi } from 'vitest';
import { engine } from '../../src/crypto/engine.ts';
import { sealingKey } from '../../src/crypto/seal.ts';
import { onEachEngine } from './engines.ts';

describe('a derived key', () => {
  onEachEngine(() => {
    it('is derived once, also by simultaneous calls', async () => {
      const hkdf = vi.spyOn(await engine(), 'hkdf');
      const salt = `once ${Math.random()}`;
      const all = await Promise.all(Array.from({ length: 10 }, () => sealingKey('secret', salt)));
      expect(hkdf).toHaveBeenCalledOnce();
      expect(new Set(all).size).toBe(1);
      hkdf.mockRestore();
    });

    it('differs for a secret and a salt that join to the same text', async () => {
      const [one, other] = [await sealingKey('secret1', 'salt'), await sealingKey('secret', '1salt')];
      expect(one.kid).not.toBe(other.kid);
    });

    it('is derived again after a failure', async () => {
      const hkdf = vi.spyOn(await engine(), 'hkdf').mockImplementationOnce(() => {
        throw new Error('no');
      });
      const salt = `failing ${Math.random()}`;
      await expect(sealingKey('secret', salt)).rejects.toThrow('no');
      expect((await sealingKey('secret', salt)).kid).toHaveLength(86);
      hkdf.mockRestore();
    });

    it('leaves no bytes in memory', async () => {
      const hkdf = vi.spyOn(await engine(), 'hkdf');
      const { key } = await sealingKey('secret', `zeroed ${Math.random()}`);
      expect(await hkdf.mock.results[0]?.value).toEqual(new Uint8Array(64));
      expect(Object.values(key).every((member) => typeof member === 'function')).toBe(true);
      hkdf.mockRestore();
    });
  });
});

describe('derived keys', () => {
  it.each<[number, string, (index: number) => Promise<unknown>]>([
    [256, 'secrets', (index) => sealingKey(`secret ${index} of 256`, 'salt')],
    [16, 'salts of a secret', (index) => sealingKey('secret of 16 salts', `salt ${index}`)],
  ])('are kept for %i %s; the next one replaces the least recently used', async (count, _, keyOf) => {
    const [first, second] = [keyOf(0), keyOf(1)];
    for (let index = 2; index < count; index++) await keyOf(index);
    expect(keyOf(0)).toBe(first);
    await keyOf(count);
    expect(keyOf(0)).toBe(first);
    expect(keyOf(1)).not.toBe(second);
  });
});

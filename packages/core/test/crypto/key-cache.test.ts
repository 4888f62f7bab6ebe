import { describe, expect, it, vi } from 'vitest';
import { sealingKey } from '../../src/crypto/derive.ts';
import { engine } from '../../src/crypto/engine.ts';
import { KEYS_KEPT, KeyCache } from '../../src/crypto/key-cache.ts';
import { onEachEngine } from './engines.ts';

describe('the key cache', () => {
  it('keeps a bounded number, the oldest goes first', () => {
    const cache = new KeyCache<number>();
    for (let n = 0; n < KEYS_KEPT + 10; n++) void cache.add(`salt ${n % 7}`, `secret ${n}`, n);
    expect(cache.size).toBe(KEYS_KEPT);
    for (let n = 0; n < KEYS_KEPT + 10; n++) {
      expect(cache.get(`salt ${n % 7}`, `secret ${n}`)).toBe(n < 10 ? undefined : n);
    }
  });

  it('does not confuse a salt and a secret that join to the same text', () => {
    const cache = new KeyCache<number>();
    void cache.add('a', 'bc', 1);
    expect(cache.get('ab', 'c')).toBeUndefined();
    expect(cache.get('a', 'bc')).toBe(1);
  });

  it('finds the first value that fits, and no promise', async () => {
    const cache = new KeyCache<number>();
    const pending = Promise.resolve(1);
    void cache.add('salt', 'a', pending);
    void cache.add('salt', 'b', 2);
    void cache.add('salt', 'c', 3);
    expect(cache.find('salt', ['a', 'b', 'c'], () => true)).toBe(2);
    expect(cache.find('salt', ['a', 'b', 'c'], (value) => value === 3)).toBe(3);
    expect(cache.find('salt', ['d'], () => true)).toBeUndefined();
    expect(cache.find('other', ['b'], () => true)).toBeUndefined();
    await pending;
    expect(cache.find('salt', ['a', 'b', 'c'], () => true)).toBe(1);
  });

  it('lets equal calls join a promise and then holds its value', async () => {
    const cache = new KeyCache<number>();
    const promise = Promise.resolve(1);
    void cache.add('a', 'b', promise);
    expect(cache.get('a', 'b')).toBe(promise);
    await promise;
    expect(cache.get('a', 'b')).toBe(1);
  });

  it('forgets a failure', async () => {
    const cache = new KeyCache<number>();
    const failure = Promise.reject(new Error('no'));
    await expect(cache.add('a', 'b', failure)).rejects.toThrow('no');
    expect(cache.get('a', 'b')).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  it('does not bring back what has been dropped while it was being made', async () => {
    const cache = new KeyCache<number>();
    const promise = Promise.resolve(1);
    void cache.add('a', 'b', promise);
    for (let n = 0; n < KEYS_KEPT; n++) void cache.add('c', String(n), n);
    await promise;
    expect(cache.get('a', 'b')).toBeUndefined();
    expect(cache.size).toBe(KEYS_KEPT);
  });
});

describe('a derived key', () => {
  onEachEngine(() => {
    it('is derived once, also by calls that come together', async () => {
      const hkdf = vi.spyOn(engine(), 'hkdf');
      const salt = `once ${Math.random()}`;
      const all = await Promise.all(Array.from({ length: 10 }, () => sealingKey(engine(), 'secret', salt)));
      expect(hkdf).toHaveBeenCalledOnce();
      expect(new Set(all).size).toBe(1);
      hkdf.mockRestore();
    });

    it('leaves no bytes behind', async () => {
      const hkdf = vi.spyOn(engine(), 'hkdf');
      const { key } = await sealingKey(engine(), 'secret', `zeroed ${Math.random()}`);
      const bytes = await (hkdf.mock.results[0]?.value as Uint8Array | Promise<Uint8Array>);
      expect(bytes).toEqual(new Uint8Array(64));
      expect(Object.values(key).every((member) => typeof member === 'function')).toBe(true);
      hkdf.mockRestore();
    });
  });
});

import { Buffer } from 'node:buffer';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { engine, switchEngine } from '../../src/crypto/engine.ts';
import { nodeEngine } from '../../src/crypto/engine-node.ts';

describe('the engine', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    switchEngine(undefined);
  });

  it('is the synchronous one on Node, and stays', () => {
    switchEngine(undefined);
    expect(engine().kind).toBe('node');
    expect(engine()).toBe(engine());
  });

  it('is WebCrypto on Cloudflare workers, where that is faster', () => {
    switchEngine(undefined);
    vi.stubGlobal('WebSocketPair', class {});
    expect(engine().kind).toBe('web');
  });

  it('does not ask for `navigator` where there is nothing of Cloudflare: Node would load a module for it', () => {
    switchEngine(undefined);
    const named = vi.spyOn(globalThis, 'navigator', 'get');
    expect(engine().kind).toBe('node');
    expect(named).not.toHaveBeenCalled();
  });

  it('can be switched', () => {
    switchEngine('web');
    expect(engine().kind).toBe('web');
    switchEngine('node');
    expect(engine().kind).toBe('node');
  });

  it('draws no more random bytes at once than it keeps ready', () => {
    const synchronous = nodeEngine();
    expect(synchronous?.random(4096, 'hex')).toHaveLength(8192);
    expect(() => synchronous?.random(4097, 'hex')).toThrow(RangeError);
  });

  it('needs no node:crypto', () => {
    for (const process of [
      undefined,
      {},
      { getBuiltinModule: () => undefined },
      { getBuiltinModule: () => ({}) },
      { getBuiltinModule: (id: string) => (id === 'node:crypto' ? { hkdfSync() {} } : {}) },
      { getBuiltinModule: (id: string) => (id === 'node:crypto' ? {} : { Buffer }) },
      {
        getBuiltinModule: () => {
          throw new Error('A Node.js API is used which is not supported in the Edge Runtime.');
        },
      },
    ]) {
      vi.stubGlobal('process', process);
      const made = nodeEngine();
      vi.unstubAllGlobals();
      expect(made).toBeUndefined();
    }
  });
});

import { Buffer } from 'node:buffer';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { engine, engineKind, switchEngine } from '../../src/crypto/engine.ts';
import { nodeEngine } from '../../src/crypto/engine-node.ts';

describe('the engine', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    switchEngine(undefined);
  });

  it('is the synchronous one on Node.js, and stays', async () => {
    switchEngine(undefined);
    expect(engineKind()).toBe('node');
    expect((await engine()).kind).toBe('node');
    expect(engine()).toBe(engine());
  });

  it('is WebCrypto on Cloudflare Workers', async () => {
    switchEngine(undefined);
    vi.stubGlobal('WebSocketPair', class {});
    expect(engineKind()).toBe('web');
    expect((await engine()).kind).toBe('web');
  });

  it('is chosen without reading `navigator`, for which Node.js would load a module', () => {
    switchEngine(undefined);
    const read = vi.spyOn(globalThis, 'navigator', 'get');
    expect(engineKind()).toBe('node');
    expect(read).not.toHaveBeenCalled();
  });

  it.each(['web', 'node'] as const)('can be switched to %s', async (kind) => {
    switchEngine(kind);
    expect((await engine()).kind).toBe(kind);
  });

  it('is not the synchronous one on a runtime without node:crypto', () => {
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

import { describe, expect, it } from 'vitest';
import { loadCompat } from './compat/load.ts';
import { loadPeer } from './peers/load.ts';

describe("other projects' packages", () => {
  it('come from the folder of the peer, subpaths too', async () => {
    expect(await loadPeer('authjs', '@auth/core')).toHaveProperty('Auth');
    expect(await loadPeer('authjs', '@auth/core/jwt')).toHaveProperty('encode');
    expect(await loadPeer('authjs', '@auth/express')).toHaveProperty('ExpressAuth');
  });

  it('may be another major than that of the repository', async () => {
    const { default: express4 } = await loadCompat<{ default: () => object }>('express-4', 'express');
    expect(express4()).toHaveProperty('lazyrouter');
  });
});

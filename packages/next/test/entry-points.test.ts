import * as core from '@latchkey/core';
import * as coreErrors from '@latchkey/core/errors';
import * as coreJwt from '@latchkey/core/jwt';
import * as next from '@latchkey/next';
import * as jwt from '@latchkey/next/jwt';
import { describe, expect, it, vi } from 'vitest';

describe('the entry points', () => {
  it('name the same things as the core', () => {
    expect(Object.keys(next).sort()).toEqual([
      'AuthError',
      'CredentialsSignin',
      'LastWayIn',
      'RecentSignInRequired',
      'TokensUnavailable',
      'assertConfig',
      'customFetch',
      'default',
      'defineConfig',
    ]);
    expect(next.AuthError).toBe(coreErrors.AuthError);
    expect(next.customFetch).toBe(core.customFetch);
    expect({ ...jwt }).toEqual({ ...coreJwt });
  });

  it.each(['middleware', 'next'])('%s says what to do instead', async (name) => {
    await expect(import(`../src/${name}.ts`)).rejects.toThrow(ReferenceError);
    await expect(import(`../src/${name}.ts`)).rejects.toThrow('auth');
  });

  it('look at nothing before the first request', () => {
    const make = vi.fn(() => ({ providers: [] }));
    const env = new Proxy({}, { get: () => expect.unreachable() });
    next.default(make, env);
    next.default({ providers: [], adapter: () => expect.unreachable() }, env);
    expect(make).not.toHaveBeenCalled();
  });
});

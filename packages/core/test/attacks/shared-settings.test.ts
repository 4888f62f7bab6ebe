import { Auth, skipCSRFCheck } from '@latchkey/core';
import Credentials from '@latchkey/core/providers/credentials';
import type { AuthConfig } from '@latchkey/core/types';
import { describe, expect, it } from 'vitest';

const base = {
  secret: 'a secret of more than thirty-two characters',
  trustHost: true,
  basePath: '/auth',
  logger: { error: () => undefined },
} satisfies Partial<AuthConfig>;

const post = (config: AuthConfig) => Auth(new Request('https://app.test/auth/signout', { method: 'POST' }), config);
const isRefused = (response: Response) => response.headers.get('location')?.includes('MissingCSRF') === true;

describe('what a host writes into one copy of its configuration', () => {
  it.each(['before', 'after'])('does not count for another, which was used %s that', async (when) => {
    const providers = [Credentials({ authorize: () => null })];
    const [first, second]: AuthConfig[] = [
      { ...base, providers },
      { ...base, providers },
    ];
    if (!first || !second) throw new Error('unreachable');
    expect(isRefused(await post(first))).toBe(true);
    if (when === 'before') expect(isRefused(await post(second))).toBe(true);
    Object.assign(first, { skipCSRFCheck });
    expect(isRefused(await post(second))).toBe(true);
    expect(isRefused(await post(first))).toBe(false);
    expect(isRefused(await post(second))).toBe(true);
  });
});

import { Auth, raw } from '@latchkey/core';
import Credentials from '@latchkey/core/providers/credentials';
import type { AuthConfig } from '@latchkey/core/types';
import { describe, expect, it } from 'vitest';

const config = {
  secret: 'a secret of more than thirty-two characters',
  trustHost: true,
  basePath: '/auth',
  raw,
  providers: [Credentials({ authorize: () => null })],
} satisfies AuthConfig;

describe('what a host adds to an answer in raw mode', () => {
  it.each(['session', 'csrf', 'providers', 'signin'])('is in no other answer of %s', async (action) => {
    const ask = () => Auth(new Request(`https://app.test/auth/${action}`), config);
    const mine = await ask();
    Object.assign(mine.headers ?? {}, { 'x-visitor': 'Ada' });
    expect(mine.headers).toHaveProperty('x-visitor');
    expect((await ask()).headers).not.toHaveProperty('x-visitor');
  });
});

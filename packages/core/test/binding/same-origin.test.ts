import { Auth } from '@latchkey/core';
import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import { SECRET } from '../flows/scene.ts';

const config = {
  secret: SECRET,
  trustHost: true,
  providers: [Credentials({ authorize: () => ({ id: '1', name: 'Ada' }) })],
  logger: { error() {} },
};

/** Signs in with nothing but these headers, where the host framework has looked for itself. */
async function passes(headers: Record<string, string>, sameOriginOnly: boolean): Promise<boolean> {
  const request = new Request('https://app.test/auth/callback/credentials', { method: 'POST', headers });
  const { headers: answer } = await Auth(request, config, { skipCSRF: true, sameOriginOnly });
  return answer.getSetCookie().some((cookie) => cookie.includes('session-token'));
}

describe('a form without a token, where only our own origin is heard', () => {
  it.each([
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'same-origin', origin: 'http://behind-a-proxy.internal' }, true],
    [{ 'sec-fetch-site': 'none' }, true],
    [{ origin: 'https://app.test' }, true],
    [{ origin: 'http://app.test' }, true],
    [{}, true],
    [{ 'sec-fetch-site': 'same-site', origin: 'https://www.app.test' }, false],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://app.test' }, false],
    [{ 'sec-fetch-site': 'anything' }, false],
    [{ origin: 'https://evil.test' }, false],
    [{ origin: 'https://app.test:8443' }, false],
    [{ origin: 'null' }, false],
    [{ origin: '' }, false],
  ] as [Record<string, string>, boolean][])('%j: %s', async (headers, expected) => {
    expect(await passes(headers, true)).toBe(expected);
    expect(await passes(headers, false)).toBe(true);
  });
});

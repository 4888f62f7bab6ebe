import { Auth } from '@latchkey/core';
import { signIn, signOut, updateSession } from '@latchkey/core/binding';
import { describe, expect, it } from 'vitest';
import { MissingCSRF } from '../../src/errors.ts';
import Credentials from '../../src/providers/credentials.ts';
import { SECRET } from '../flows/scene.ts';
import { startsSession, visitor } from './visitor.ts';

const config = {
  secret: SECRET,
  trustHost: true,
  providers: [Credentials({ authorize: () => ({ id: '1', name: 'Ada' }) })],
  logger: { error() {} },
};

/** Signs in with these headers only. */
async function passes(headers: Record<string, string>, sameOriginOnly: boolean, site = 'https://app.test') {
  const request = new Request(`${site}/auth/callback/credentials`, { method: 'POST', headers });
  const { headers: answer } = await Auth(request, config, { forms: sameOriginOnly ? 'same-origin' : 'host-checked' });
  return answer.getSetCookie().some((cookie) => cookie.includes('session-token'));
}

describe('a form without a token, with `same-origin`', () => {
  it.each([
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'same-origin', origin: 'http://behind-a-proxy.internal' }, true],
    [{ 'sec-fetch-site': 'none' }, true],
    [{ origin: 'https://app.test' }, true],
    [{ origin: 'http://app.test' }, false],
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

  it('is accepted from https if an unknown proxy ends TLS and the request arrives by http', async () => {
    expect(await passes({ origin: 'https://app.test' }, true, 'http://app.test')).toBe(true);
    expect(await passes({ origin: 'http://app.test' }, true, 'http://app.test')).toBe(true);
    expect(await passes({ origin: 'https://evil.test' }, true, 'http://app.test')).toBe(false);
  });
});

describe('a form without a token, with a misspelled value of `forms`', () => {
  it('is refused', async () => {
    const request = new Request('https://app.test/auth/callback/credentials', {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    const { headers } = await Auth(request, config, { forms: 'same_origin' as 'same-origin' });
    expect(headers.get('location')).toContain('error=MissingCSRF');
    expect(headers.getSetCookie().join()).not.toContain('session-token');
  });
});

describe('a form action of a framework', () => {
  const right = { password: 'password', redirect: false };
  const forged = new Headers({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' });

  it('refuses other sites with `same-origin`: sign-in, sign-out, update', async () => {
    const ada = visitor();
    const host = ada.host({ forms: 'same-origin' as const, headers: forged });
    await expect(signIn(ada.configured, host, 'credentials', right)).rejects.toThrow(MissingCSRF);
    await expect(signOut(ada.configured, host)).rejects.toThrow(MissingCSRF);
    await expect(updateSession(ada.configured, host, {})).rejects.toThrow(MissingCSRF);
    expect([ada.set, ada.log.types()]).toEqual([[], ['MissingCSRF', 'MissingCSRF', 'MissingCSRF']]);
  });

  it('accepts forms of this site, and all forms that the framework has checked', async () => {
    for (const own of [
      { forms: 'same-origin' as const, headers: new Headers({ 'sec-fetch-site': 'same-origin' }) },
      { headers: forged },
    ]) {
      const ada = visitor();
      await signIn(ada.configured, ada.host(own), 'credentials', right);
      expect(startsSession(ada.set)).toBe(true);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { demoInBrowser } from '../../../shared/test/demo-in-browser.ts';
import { signInAtProvider } from '../../../shared/test/sign-in.ts';
import { isWithoutProxy } from '../../../shared/test/tls-proxy.ts';
import { heading, isWithoutBrowser, ourCookies, session, signOut } from '../../../shared/test/visit.ts';

describe.skipIf(isWithoutBrowser || isWithoutProxy)('the Express demo behind a reverse proxy with TLS', () => {
  const app = demoInBrowser('express', { tls: true });

  it('signs in at the provider and out again, with cookies for TLS only', async () => {
    const page = await app.open('/private');
    await signInAtProvider(page, 'ada');
    await page.waitForURL(`${app.origin}/private`);
    await page.goto(app.origin);
    expect((await session(page)).user).toMatchObject({ email: 'ada@example.com' });
    expect(await ourCookies(page)).toEqual({
      '__Host-authjs.browser.demo.jwt-session': true,
      '__Host-authjs.csrf-token': true,
      '__Secure-authjs.callback-url': true,
      '__Secure-authjs.challenge': true,
      '__Secure-authjs.last': true,
      'demo.jwt-session': true,
    });
    await signOut(page);
    expect(await heading(page)).toBe('You are not signed in');
  });
});

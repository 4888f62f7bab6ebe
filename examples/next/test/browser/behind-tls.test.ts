import { describe, expect, it } from 'vitest';
import { demoInBrowser } from '../../../shared/test/demo-in-browser.ts';
import { isWithoutProxy } from '../../../shared/test/tls-proxy.ts';
import { isWithoutBrowser, ourCookies } from '../../../shared/test/visit.ts';
import { ways } from '../../../shared/test/ways.ts';

/** Browsers allow passkeys only on sites with a trusted certificate, which the proxy of the tests does not have. */
const waysByTls = ways.filter(({ name }) => !name.includes('passkey'));

describe.skipIf(isWithoutBrowser || isWithoutProxy)('the Next.js demo behind a reverse proxy with TLS', () => {
  const app = demoInBrowser('next', { tls: true });

  it.each(waysByTls)('signs in $name, with cookies for TLS only', async ({ visitor, signIn }) => {
    const page = await app.open('/private');
    expect(page.url()).toMatch(`${app.origin}/sign-in?`);
    await signIn(page, app.inbox);
    await page.waitForURL(`${app.origin}/private`);
    expect(await page.locator('strong').innerText()).toBe(visitor);
    await page.locator('#visitor').getByText(visitor).waitFor();
    const { 'authjs.revision': _, ...others } = await ourCookies(page);
    expect(others).toMatchObject({ '__Secure-authjs.session-token': true, '__Host-authjs.csrf-token': true });
    expect(Object.entries(others).filter(([name, secure]) => !secure || !/^__(Secure|Host)-/.test(name))).toEqual([]);

    await page.getByRole('link', { name: 'Start' }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
    expect(await ourCookies(page)).not.toHaveProperty('__Secure-authjs.session-token');
  });
});

import { describe, expect, it } from 'vitest';
import { demoInBrowser } from '../../../shared/test/demo-in-browser.ts';
import { isWithoutProxy } from '../../../shared/test/tls-proxy.ts';
import { isWithoutBrowser } from '../../../shared/test/visit.ts';
import { ways } from '../../../shared/test/ways.ts';

/** Browsers allow passkeys only on sites with a trusted certificate, which the proxy of the tests does not have. */
const waysByTls = ways.filter(({ name }) => !name.includes('passkey'));

describe.skipIf(isWithoutBrowser || isWithoutProxy)('the SvelteKit demo behind a reverse proxy with TLS', () => {
  const app = demoInBrowser('sveltekit', { tls: true });

  it.each(waysByTls)('signs in $name, with cookies for TLS only', async ({ visitor, signIn }) => {
    const page = await app.open('/private');
    await signIn(page, app.inbox);
    await page.waitForURL(`${app.origin}/private`);
    expect(await page.locator('strong').innerText()).toBe(visitor);
    const cookies = async () => (await page.context().cookies(app.origin)).map(({ name, secure }) => [name, secure]);
    // The provider is at this host, too.
    const ours = (await cookies()).filter(([name]) => /authjs\.(?!revision)/.test(String(name)));
    expect(ours).toContainEqual(['__Secure-authjs.session-token', true]);
    expect(ours.filter(([name, secure]) => !secure || !/^__(Secure|Host)-/.test(String(name)))).toEqual([]);

    await page.getByRole('link', { name: 'Start' }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
    expect(await cookies()).not.toContainEqual(['__Secure-authjs.session-token', true]);
  });
});

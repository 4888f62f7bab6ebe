import { describe, expect, it } from 'vitest';
import { demoInBrowser } from '../../../shared/test/demo-in-browser.ts';
import { isWithoutBrowser, signInAtProvider, signInWithPassword } from '../../../shared/test/visit.ts';

describe.skipIf(isWithoutBrowser)('the Next.js demo with a base path', () => {
  const app = demoInBrowser('next', { env: { BASE_PATH: '/shop' } });

  it('has all URLs below the base path, also in the browser, without further settings', async () => {
    const page = await app.open('/shop/private?chapter=2');
    expect(new URL(page.url()).pathname).toBe('/shop/sign-in');
    await signInAtProvider(page, 'ada');
    await page.waitForURL(`${app.origin}/shop/private?chapter=2`);
    await page.locator('#visitor').getByText('Ada Lovelace').waitFor();
    await page.getByRole('link', { name: 'Start' }).click();
    await page.getByRole('button', { name: 'Sign out in the browser' }).click();
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
    expect(page.url()).toMatch(/:\d+\/shop\/?$/);

    await page.getByRole('link', { name: 'Sign in' }).click();
    await signInWithPassword(page, 'password');
    await page.waitForURL(/:\d+\/shop\/?$/);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
    expect(page.url()).toMatch(/:\d+\/shop\/?$/);
  });
});

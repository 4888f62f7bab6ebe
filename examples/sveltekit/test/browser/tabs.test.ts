import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { demoInBrowser } from '../../../shared/test/demo-in-browser.ts';
import { signInWithPassword } from '../../../shared/test/sign-in.ts';
import { isWithoutBrowser } from '../../../shared/test/visit.ts';

describe.skipIf(isWithoutBrowser)('the session in two tabs, below a base path', () => {
  const app = demoInBrowser('sveltekit', { env: { BASE_PATH: '/shop' } });
  const home = () => `${app.origin}/shop/`;

  const shows = (page: Page, who: string) => page.locator('#visitor').getByText(who, { exact: true }).waitFor();

  /** Opens the sign-in page in two tabs of one visitor. From then on, the router changes the pages without loading. */
  async function twoTabs(): Promise<[Page, Page]> {
    const first = await app.open('/shop/sign-in');
    const second = await first.context().newPage();
    await second.goto(first.url());
    for (const page of [first, second]) {
      await shows(page, 'Not signed in');
      // Until hydration, the tab does not watch the session, and this button is disabled.
      await page.locator('button:enabled', { hasText: 'Sign in with a passkey' }).waitFor();
      await page.evaluate('window.isTheSame = true');
    }
    return [first, second];
  }

  async function signInHere(page: Page): Promise<void> {
    await signInWithPassword(page, 'password');
    await page.getByRole('heading', { name: 'Demo User' }).waitFor();
    expect(page.url()).toBe(home());
  }

  const isTheSame = (page: Page) => page.evaluate('window.isTheSame');

  it.each(['Sign out', 'Sign out in the browser'])('begins in both, and ends in both with "%s"', async (button) => {
    const [first, second] = await twoTabs();
    await signInHere(first);
    await second.bringToFront();
    await shows(second, 'Demo User');
    await second.getByRole('link', { name: 'Private page' }).click();
    await second.getByRole('heading', { name: 'The private page' }).waitFor();

    await first.bringToFront();
    await first.getByRole('button', { name: button, exact: true }).click();
    await shows(first, 'Not signed in');
    await second.bringToFront();
    // The guard of that page runs again.
    await second.waitForURL(/\/shop\/sign-in/);
    await shows(second, 'Not signed in');
    expect([await isTheSame(first), await isTheSame(second)]).toEqual([true, true]);
  });

  it('is changed by an action, and the other tab shows it', async () => {
    const [first, second] = await twoTabs();
    await signInHere(first);
    await first.getByLabel('Name').fill('Other Name');
    await first.getByRole('button', { name: 'Change on the server' }).click();
    await shows(first, 'Other Name');
    await second.bringToFront();
    await shows(second, 'Other Name');
    await second.reload();
    await shows(second, 'Other Name');
  });
});

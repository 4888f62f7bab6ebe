import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { demoInBrowser } from '../../../shared/test/demo-in-browser.ts';
import { signInAtProvider, signInWithPassword } from '../../../shared/test/sign-in.ts';
import { isWithoutBrowser } from '../../../shared/test/visit.ts';

/** A page of the demo, with the methods of its requests for the session. */
interface Tab {
  readonly page: Page;
  readonly requests: string[];
}

describe.skipIf(isWithoutBrowser)('the Next.js demo below a base path', () => {
  const app = demoInBrowser('next', { env: { BASE_PATH: '/shop' } });
  const home = () => `${app.origin}/shop`;

  /** Opens two tabs of one visitor without a session. Their pages must not be loaded again. */
  async function twoTabs(): Promise<[Tab, Tab]> {
    const first = await app.open('/shop');
    const second = await first.context().newPage();
    await second.goto(home());
    return [await watched(first, 'Not signed in'), await watched(second, 'Not signed in')];
  }

  async function watched(page: Page, who: string): Promise<Tab> {
    await shows(page, who);
    await page.evaluate('window.isTheSame = true');
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/auth/session')) requests.push(request.method());
    });
    return { page, requests };
  }

  const shows = (page: Page, who: string) => page.locator('#visitor').getByText(who, { exact: true }).waitFor();

  async function isTheSame({ page }: Tab): Promise<void> {
    expect(await page.evaluate('window.isTheSame')).toBe(true);
  }

  /** Signs in by server action. The router changes the pages without loading them. */
  async function signInHere({ page }: Tab): Promise<void> {
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signInWithPassword(page, 'password');
    await page.waitForURL(/:\d+\/shop\/?$/);
    await page.getByRole('heading', { name: 'Demo User' }).waitFor();
  }

  it('has all URLs below the base path, also in the browser, without further settings', async () => {
    const page = await app.open('/shop/private?chapter=2');
    expect(new URL(page.url()).pathname).toBe('/shop/sign-in');
    await signInAtProvider(page, 'ada');
    await page.waitForURL(`${app.origin}/shop/private?chapter=2`);
    await page.locator('#visitor').getByText('Ada Lovelace').waitFor();
    await page.getByRole('link', { name: 'Latchkey demo' }).click();
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

  it('shows a sign-in by server action, in both tabs, with one request each', async () => {
    const tabs = await twoTabs();
    const [first, second] = tabs;
    await signInHere(first);
    await shows(first.page, 'Demo User');
    await shows(second.page, 'Demo User');
    await second.page.getByRole('link', { name: 'Private page' }).click();
    await second.page.getByRole('heading', { name: 'The private page' }).waitFor();
    for (const tab of tabs) {
      await isTheSame(tab);
      expect(tab.requests.length).toBeLessThanOrEqual(1);
    }
  });

  it.each(['Sign out', 'Sign out in the browser'])('ends the session in both tabs with "%s"', async (button) => {
    const [first, second] = await twoTabs();
    await signInHere(first);
    await shows(second.page, 'Demo User');
    second.requests.length = 0;
    await first.page.getByRole('button', { name: button, exact: true }).click();
    await shows(first.page, 'Not signed in');
    await shows(second.page, 'Not signed in');
    expect(await second.page.locator('#in-browser').innerText()).toBe('null');
    await isTheSame(second);
    expect(second.requests.length).toBeLessThanOrEqual(1);
    await second.page.getByRole('link', { name: 'Private page' }).click();
    await second.page.waitForURL(/sign-in/);
  });

  it.each([
    ['the browser', 'Change in the browser'],
    ['the server', 'Change on the server'],
  ])('shows a change by %s on the server, in the browser and in the other tab', async (_, button) => {
    const tabs = await twoTabs();
    const [first, second] = tabs;
    await signInHere(first);
    await shows(first.page, 'Demo User');
    await shows(second.page, 'Demo User');
    for (const tab of tabs) tab.requests.length = 0;
    const form = first.page.locator('form', { has: first.page.getByRole('button', { name: button }) });
    await form.getByLabel('Name').fill('Other Name');
    await form.getByRole('button', { name: button }).click();
    for (const { page } of tabs) await shows(page, 'Other Name');
    await first.page.locator('#on-server').getByText('Other Name').waitFor();
    for (const tab of tabs) {
      await isTheSame(tab);
      expect(tab.requests.length).toBeLessThanOrEqual(1);
    }
    await first.page.reload();
    await shows(first.page, 'Other Name');
  });
});

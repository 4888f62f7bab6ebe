import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { isWithoutChromium, launchChromium } from '../../../../test/chromium.ts';
import { addAuthenticator } from '../../../core/test/browser/authenticator.ts';
import { buildAstro, type Served, serveAstro } from '../build.ts';

interface Client {
  latchkey: { usePasskey(provider: string, options: object): Promise<unknown>; signOut(): Promise<unknown> };
}

describe.skipIf(isWithoutChromium)('the client of @latchkey/astro', () => {
  let site: Served;
  let browser: Browser;
  beforeAll(async () => {
    const output = await buildAstro(join(import.meta.dirname, '../pitfalls'));
    site = await serveAstro(output, { BINDING_SETUP: JSON.stringify({ session: 'database' }) });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.stop();
  });

  async function open(): Promise<Page> {
    const page = await browser.newPage();
    // Passkeys need a name, and no address.
    await page.goto(`${site.origin.replace('127.0.0.1', 'localhost')}/client`);
    await page.waitForFunction(() => 'latchkey' in window);
    return page;
  }
  const shows = (page: Page, text: string) => page.getByRole('heading', { name: text, exact: true }).waitFor();
  // Calls that leave the page are not awaited: their result is lost with the page.
  const signOut = (page: Page) => page.evaluate(() => void (window as unknown as Client).latchkey.signOut());
  const usePasskey = (page: Page, options: object) =>
    page.evaluate((given) => void (window as unknown as Client).latchkey.usePasskey('passkey', given), options);

  it('makes a passkey, and signs in with it', async () => {
    const page = await open();
    await addAuthenticator(page);
    await usePasskey(page, { action: 'register', email: 'grace@example.com' });
    await shows(page, 'Signed in: grace@example.com');
    await signOut(page);
    await shows(page, 'Signed out');
    await page.waitForFunction(() => 'latchkey' in window);
    await usePasskey(page, { action: 'authenticate' });
    await shows(page, 'Signed in: grace@example.com');
  });
});

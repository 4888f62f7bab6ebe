import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isWithoutChromium, launchChromium } from '../../../../test/chromium.ts';
import { start } from '../contract/start.ts';

describe.skipIf(isWithoutChromium)('the functions of the browser', () => {
  let site: Awaited<ReturnType<typeof start>>;
  let browser: Browser;
  let profile: BrowserContext;

  beforeAll(async () => {
    site = await start({});
    browser = await launchChromium();
  });
  beforeEach(async () => {
    profile = await browser.newContext();
  });
  afterEach(() => profile?.close());
  afterAll(async () => {
    await browser?.close();
    site?.stop();
  });

  /** Opens the page, and waits until its functions are there. */
  async function open(): Promise<Page> {
    const page = await profile.newPage();
    await page.goto(`${site.origin}/client`);
    await page.waitForFunction('globalThis.client');
    await page.evaluate('document.isFirst = true');
    return page;
  }

  const shows = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
  const signIn = (page: Page, password: string) =>
    page.evaluate(`client.signIn('credentials', { name: 'Ada', password: '${password}', redirect: false })`);

  it('signs in and out without leaving the page, and runs the loaders again', async () => {
    const page = await open();
    expect(await signIn(page, 'wrong')).toMatchObject({ ok: false, error: 'CredentialsSignin' });
    await shows(page, 'undefined');
    expect(await signIn(page, 'password')).toMatchObject({ ok: true, url: `${site.origin}/client` });
    await shows(page, 'Ada');
    const signedOut = await page.evaluate(`client.signOut({ redirect: false, redirectTo: '/session' })`);
    expect(signedOut).toMatchObject({ ok: true, url: `${site.origin}/session` });
    await shows(page, 'undefined');
    expect(await page.evaluate('document.isFirst')).toBe(true);
  });

  it('goes to the given address', async () => {
    const page = await open();
    const options = `{ name: 'Ada', password: 'password', redirectTo: '/session' }`;
    await page.evaluate(`void client.signIn('credentials', ${options})`);
    await page.waitForURL(`${site.origin}/session`);
    expect(await page.locator('body').innerText()).toContain('"Ada"');
  });

  it('shows a sign-in and a sign-out of another tab', async () => {
    const [page, other] = [await open(), await open()];
    await signIn(other, 'password');
    await shows(page, 'Ada');
    await other.evaluate('client.signOut({ redirect: false })');
    await shows(page, 'undefined');
    expect(await page.evaluate('document.isFirst')).toBe(true);
  });

  it('loads the sign-in page as a document if a link leads to a guarded page', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'guarded' }).click();
    await page.waitForURL(`${site.origin}/auth/signin?callbackUrl=%2Fguarded`);
    expect(await page.evaluate('document.isFirst')).toBeUndefined();
  });
});

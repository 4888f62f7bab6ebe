import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isWithoutChromium, launchChromium } from '../../../../test/chromium.ts';
import { app, buildApp, serve } from '../contract/start.ts';

describe.skipIf(isWithoutChromium)('the client', () => {
  const site = { origin: '', stop: (): void => {} };
  let browser: Browser;
  let profile: BrowserContext;

  beforeAll(async () => {
    Object.assign(site, await serve(await buildApp(app)));
    browser = await launchChromium();
  });
  beforeEach(async () => {
    profile = await browser.newContext();
  });
  afterEach(() => profile?.close());
  afterAll(async () => {
    await browser?.close();
    site.stop();
  });

  /** Opens the page, and waits until its functions are there. */
  async function open(): Promise<Page> {
    const page = await profile.newPage();
    page.setDefaultTimeout(60_000);
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
    expect(await signIn(page, 'wrong')).toMatchObject({ ok: false, error: 'CredentialsSignin', url: null });
    await shows(page, 'nobody');
    expect(await signIn(page, 'password')).toEqual({ ok: true, status: 200, url: `${site.origin}/client` });
    await shows(page, 'Ada');
    const url = `${site.origin}/session`;
    const options = `{ redirect: false, redirectTo: '/session' }`;
    expect(await page.evaluate(`client.signOut(${options})`)).toMatchObject({ ok: true, url });
    await shows(page, 'nobody');
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
    await shows(page, 'nobody');
    expect(await page.evaluate('document.isFirst')).toBe(true);
  });

  it('a link to a guarded page loads the sign-in page as a document', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'guarded' }).click();
    await page.waitForURL(`${site.origin}/auth/signin?callbackUrl=%2Fguarded%3Fchapter%3D2`);
    expect(await page.evaluate('document.isFirst')).toBeUndefined();
    expect(await page.locator('input[name=password]').count()).toBe(1);
  });
});

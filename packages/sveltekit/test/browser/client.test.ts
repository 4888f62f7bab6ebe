import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isWithoutChromium, launchChromium } from '../../../../test/chromium.ts';
import { addAuthenticator } from '../../../core/test/browser/authenticator.ts';
import { type KitSite, startKitSite } from '../client/site.ts';

describe.skipIf(isWithoutChromium).each([
  [2, 'invalidateAll'],
  [3, 'refreshAll'],
])('the client with Kit %i', (major, reload) => {
  let browser: Browser;
  let site: KitSite;
  let profile: BrowserContext;

  beforeAll(async () => {
    [browser, site] = await Promise.all([launchChromium(), startKitSite()]);
  });
  beforeEach(async () => {
    profile = await browser.newContext();
  });
  afterEach(() => profile?.close());
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  const soon = <T>(value: () => Promise<T>) => expect.poll(value, { interval: 20 });

  async function open(): Promise<Page> {
    const page = await profile.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${site.origin}/shop/${major}`);
    return page;
  }

  const session = async (): Promise<unknown> => (await profile.request.get(`${site.origin}/shop/auth/session`)).json();

  const password = `name: 'Ada', password: 'password'`;

  it('signs in and out below Kit’s base path, and runs the `load` functions again', async () => {
    const page = await open();
    const refused = await page.evaluate(`app.signIn('password', { name: 'Ada', password: 'x', redirect: false })`);
    expect(refused).toEqual({ error: 'CredentialsSignin', code: 'wrong_password', status: 200, ok: false, url: null });
    expect(await page.evaluate('app.loads')).toEqual([]);
    const url = `${site.origin}/shop/there`;
    const result = await page.evaluate(
      `app.signIn('password', { ${password}, redirect: false, redirectTo: '/shop/there' })`,
    );
    expect(result).toEqual({ status: 200, ok: true, url });
    expect(await session()).toMatchObject({ user: { name: 'Ada' } });
    const asked = page.waitForRequest('**/signout');
    const signedOut = page.evaluate(`app.signOut({ redirect: false, redirectTo: '/shop/there', provider: false })`);
    expect(await signedOut).toEqual({ url });
    expect((await asked).postData()).toContain('provider=false');
    expect(await session()).toBeNull();
    expect(await page.evaluate('app.loads')).toEqual([reload, reload]);
  });

  it('goes to the given address', async () => {
    const page = await open();
    await page.evaluate(`void app.signIn('password', { ${password}, redirectTo: '/shop/${major}?in' })`);
    await page.waitForURL('**?in');
    expect(await session()).toMatchObject({ user: { name: 'Ada' } });
    await page.evaluate(`void app.signOut({ callbackUrl: '/shop/${major}?out' })`);
    await page.waitForURL('**?out');
    expect(await session()).toBeNull();
    await page.evaluate('void app.signIn()');
    await page.waitForURL('**/shop/auth/signin?callbackUrl=*');
  });

  it('signs in by the code of a mail, and goes where the request for the mail said', async () => {
    const page = await open();
    const run = (options: string) => page.evaluate(`app.signIn('mail', { redirect: false, ${options} })`);
    await run(`email: 'mail${major}@example.com', redirectTo: '/shop/there'`);
    const refused = { error: 'Verification', code: '1', status: 200, ok: false, url: null };
    expect(await run(`code: 'none'`)).toEqual(refused);
    expect(await run('')).toMatchObject({ ok: true, url: expect.stringContaining('/verify-request?provider=mail') });
    const url = `${site.origin}/shop/there`;
    expect(await run(`code: '${site.codes.at(-1)}'`)).toEqual({ ok: true, status: 200, url });
    expect(await session()).toMatchObject({ user: { email: `mail${major}@example.com` } });
  });

  it('finds the actions where they are configured', async () => {
    const page = await open();
    for (const basePath of ['/other', '/shop/other']) {
      const result = await page.evaluate(
        `app.signIn('password', { ${password}, redirect: false, basePath: '${basePath}' })`,
      );
      expect(result).toMatchObject({ ok: true });
      await page.evaluate(`app.signOut({ redirect: false, basePath: '${basePath}' })`);
      expect(await session()).toBeNull();
    }
    await page.evaluate(`void app.signInWithPasskey('', { basePath: '/other' })`);
    await page.waitForURL('**/shop/other/signin?callbackUrl=*');
  });

  it('runs the `load` functions again when another tab signs in or out', async () => {
    const [one, two] = [await open(), await open()];
    await one.evaluate('globalThis.end = app.watchSession()');
    await two.evaluate(`app.signIn('password', { ${password}, redirect: false })`);
    await soon(() => one.evaluate('app.loads')).toEqual([reload]);
    await two.evaluate('app.signOut({ redirect: false })');
    await soon(() => one.evaluate('app.loads')).toEqual([reload, reload]);
    await one.evaluate(`end(); dispatchEvent(new Event('focus'))`);
    await two.evaluate(`app.signIn('password', { ${password}, redirect: false })`);
    await one.evaluate(`dispatchEvent(new Event('focus'))`);
    expect(await one.evaluate('app.loads')).toHaveLength(2);
  });

  it('signs in with passkeys of any provider', async () => {
    const page = await open();
    await addAuthenticator(page);
    const keys = <T>(options: string): Promise<T> =>
      page.evaluate(`app.signInWithPasskey('keys', { redirect: false, ${options} })`);
    expect(await keys(`action: 'register', email: 'ada${major}@example.com'`)).toMatchObject({ ok: true });
    expect(await session()).toMatchObject({ user: { email: `ada${major}@example.com` } });
    expect(await page.evaluate('app.loads')).toEqual([reload]);
    await expect(page.evaluate(`app.signIn('keys')`)).rejects.toThrow('has passkeys');
    await expect(page.evaluate(`app.signInWithPasskey('password')`)).rejects.toThrow('has no passkeys');
  });
});

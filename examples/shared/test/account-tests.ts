import { expect, it } from 'vitest';
import type { DemoInBrowser } from './demo-in-browser.ts';
import { atProvider, signInAtProvider, signInByLink, signInWithPassword } from './sign-in.ts';
import { withDevice } from './virtual-authenticator.ts';
import { heading, shoot } from './visit.ts';

/** Paths of a demo. */
interface AccountPaths {
  /** The sign-in page. */
  readonly signIn: string;
  /** The folder of the built-in pages. */
  readonly actions: string;
}

/** Adds the tests of the account and of guided linking that all demos have in common. */
export function testAccount(app: DemoInBrowser, { signIn, actions }: AccountPaths): void {
  const accountPage = () => `${app.origin}${actions}/account`;

  it('adds an account at a provider on the page of the account', async () => {
    const page = await app.open(signIn);
    await signInWithPassword(page, 'password');
    await page.waitForURL(`${app.origin}/`);
    await page.getByRole('link', { name: 'Your account' }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    await shoot(page, `${app.example} account`);
    await signInAtProvider(page, 'kim');
    await page.waitForURL(accountPage());
    expect(await page.locator('main').innerText()).toContain('kim@example.com');
    await shoot(page, `${app.example} account with a provider`);
  });

  it('leads from a taken address to the linked account', async () => {
    const page = await app.open(signIn);
    await signInByLink(page, 'ada@example.com', app.inbox);
    await page.waitForURL(`${app.origin}/`);
    await page.context().clearCookies();
    await page.goto(app.origin + signIn);
    await signInAtProvider(page, 'ada');
    await page.getByText('You have an account. Sign in as before').waitFor();
    await shoot(page, `${app.example} offer`);
    await signInByLink(page, 'ada@example.com', app.inbox);
    await page.getByRole('button', { name: 'Add Demo Provider' }).click();
    await atProvider(page, 'ada');
    await page.waitForURL(`${app.origin}/`);
    await page.goto(accountPage());
    expect(await page.locator('main').innerText()).toContain('Demo Provider');
  });

  it('adds a passkey to the signed-in user, who can then sign in with it', async () => {
    const page = await app.open(signIn);
    await withDevice(page);
    await signInWithPassword(page, 'password');
    await page.waitForURL(`${app.origin}/`);
    await page.goto(`${app.origin}${signIn}`);
    await page.getByRole('link', { name: 'Add a way to sign in' }).click();
    await page.getByRole('link', { name: 'Add a passkey' }).click();
    expect(await heading(page)).toBe('Add a passkey');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.waitForURL(`${app.origin}/`);
    await page.context().clearCookies();
    await page.goto(`${app.origin}${signIn}`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(`${app.origin}/`);
    await page.getByRole('heading', { name: 'Demo User' }).waitFor();
  });
}

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { DemoInBrowser } from './demo-in-browser.ts';
import { signInAtProvider, signInWithPassword, typePassword, withNewPasskey } from './sign-in.ts';
import { expectReadable, heading, looks, shoot } from './visit.ts';
import { ways } from './ways.ts';

/** Browsers allow passkeys only on sites with a trusted certificate, which the proxy of the tests does not have. */
const waysByTls = ways.filter(({ name }) => !name.includes('passkey'));

const signOut = (page: Page) => page.getByRole('button', { name: 'Sign out', exact: true }).click();

/** Waits until the header shows the name. */
const shows = (page: Page, name: string) => page.locator('#visitor').getByText(name, { exact: true }).waitFor();

/** Expects that the page asks for a sign-in. */
const expectSignInPage = (page: Page): void => expect(new URL(page.url()).pathname).toBe('/sign-in');

/**
 * Adds the tests of signing in that the demos of Next.js and SvelteKit have in common.
 *
 * @param refusal The error that the browser logs if a form is refused. Default: none.
 */
export function testSignIn(app: DemoInBrowser, refusal?: string): void {
  const expectRefusal = () =>
    expect(app.complaints.splice(0)).toEqual(refusal ? [expect.stringContaining(refusal)] : []);

  it.each(ways)('$name returns to the requested page, and the visitor can sign out', async ({ visitor, signIn }) => {
    const page = await app.open('/private?chapter=2');
    expectSignInPage(page);
    await signIn(page, app.inbox);
    await page.waitForURL(`${app.origin}/private?chapter=2`);
    expect(await heading(page)).toBe('The private page');
    expect(await page.locator('strong').innerText()).toBe(visitor);
    await shows(page, visitor);

    await page.getByRole('link', { name: 'Latchkey demo' }).click();
    await page.getByRole('heading', { name: visitor }).waitFor();
    await signOut(page);
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
    await shows(page, 'Not signed in');
    await page.goto(`${app.origin}/private`);
    expectSignInPage(page);
  });

  it('works with a passkey that was created before', async () => {
    const page = await app.open('/sign-in');
    await withNewPasskey(page, 'pavel@example.com');
    await page.getByRole('heading', { name: 'pavel@example.com' }).waitFor();
    await signOut(page);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'pavel@example.com' }).waitFor();
    await shows(page, 'pavel@example.com');
  });

  it('reports a wrong password, and then signs in with the right one', async () => {
    const page = await app.open('/private');
    await signInWithPassword(page, 'wrong');
    await page.getByText('These details are not correct.').waitFor();
    expectSignInPage(page);
    await shows(page, 'Not signed in');
    await page.locator('input[type="password"]:focus').waitFor();
    await typePassword(page, 'password');
    await page.waitForURL(`${app.origin}/private`);
    expectRefusal();
  });

  it('works without JavaScript', async () => {
    const page = await app.open('/private', { javaScriptEnabled: false });
    await signInWithPassword(page, 'wrong');
    await page.getByText('These details are not correct.').waitFor();
    await typePassword(page, 'password');
    await page.waitForURL(`${app.origin}/private`);
    expect(await heading(page)).toBe('The private page');

    await page.goto(app.origin);
    const form = page.locator('form', { has: page.getByRole('button', { name: 'Change on the server' }) });
    await form.getByLabel('Name').fill('Other Name');
    await form.getByRole('button').click();
    await page.getByRole('heading', { name: 'Other Name' }).waitFor();
    await signOut(page);
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();

    await page.goto(`${app.origin}/private?chapter=3`);
    await signInAtProvider(page, 'grace');
    await page.waitForURL(`${app.origin}/private?chapter=3`);
    expect(await page.locator('strong').innerText()).toBe('Grace Hopper');
    expectRefusal();
  });

  it('shows the visitor in the HTML of the first answer', async () => {
    const page = await app.open('/sign-in');
    await signInWithPassword(page, 'password');
    await page.waitForURL(`${app.origin}/`);
    const html = await (await page.request.get(app.origin)).text();
    expect(/<output[^>]*>(?:<!--[^>]*-->)*Demo User</.test(html)).toBe(true);
    await page.goto(`${app.origin}/sign-in`);
    await page.getByText('You are signed in as demo@example.com.').waitFor();
  });

  it('needs scripts for passkeys only', async () => {
    const page = await app.open('/sign-in', { javaScriptEnabled: false });
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'Create an account' }).click();
    expect(await page.getByRole('button', { name: 'Create a passkey' }).isDisabled()).toBe(true);
    expect(await page.locator('noscript p').innerText()).toContain('This needs JavaScript');
  });

  it.each(looks)('can be read in %s at a width of %i', async (colorScheme, width) => {
    const page = await app.open('/sign-in', { colorScheme, viewport: { width, height: 760 }, bypassCSP: true });
    const look = async (name: string): Promise<void> => {
      await shoot(page, `${app.example} ${name} ${colorScheme} ${width}`);
      await expectReadable(page);
    };
    await look('sign-in');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByRole('heading', { name: 'Create an account' }).waitFor();
    await look('register');
    await page.goto(`${app.origin}/sign-in`);
    await signInWithPassword(page, 'wrong');
    await page.getByText('These details are not correct.').waitFor();
    await look('wrong password');
    await typePassword(page, 'password');
    await page.waitForURL(`${app.origin}/`);
    await look('start');
    await page.goto(`${app.origin}/sign-in`);
    await look('signed in');
    await page.goto(`${app.origin}/private`);
    await look('private');
    expectRefusal();
  });

  it('does not redirect to another site', async () => {
    const page = await app.open('/sign-in?callbackUrl=https%3A%2F%2Fevil.test%2F');
    await signInWithPassword(page, 'password');
    await page.waitForURL(`${app.origin}/`);
  });
}

/** Adds the tests of a demo behind a reverse proxy with TLS that the demos of Next.js and SvelteKit have in common. */
export function testBehindTls(app: DemoInBrowser): void {
  it.each(waysByTls)('signs in $name, with cookies for TLS only', async ({ visitor, signIn }) => {
    const page = await app.open('/private');
    expect(page.url()).toMatch(`${app.origin}/sign-in?`);
    await signIn(page, app.inbox);
    await page.waitForURL(`${app.origin}/private`);
    expect(await page.locator('strong').innerText()).toBe(visitor);
    await shows(page, visitor);
    const cookies = async () => (await page.context().cookies(app.origin)).map(({ name, secure }) => [name, secure]);
    // The provider is at this host, too. Scripts read the cookie `authjs.revision`.
    const ours = (await cookies()).filter(([name]) => /authjs\.(?!revision)/.test(String(name)));
    expect(ours).toContainEqual(['__Secure-authjs.session-token', true]);
    expect(ours.filter(([name, secure]) => !secure || !/^__(Secure|Host)-/.test(String(name)))).toEqual([]);

    await page.getByRole('link', { name: 'Latchkey demo' }).click();
    await signOut(page);
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
    expect(await cookies()).not.toContainEqual(['__Secure-authjs.session-token', true]);
  });
}

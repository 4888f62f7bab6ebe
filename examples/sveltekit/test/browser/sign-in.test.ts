import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { demoInBrowser } from '../../../shared/test/demo-in-browser.ts';
import { expectReadable, heading, isWithoutBrowser, signInAtProvider } from '../../../shared/test/visit.ts';
import { ways, withNewPasskey, withPassword } from '../../../shared/test/ways.ts';

describe.skipIf(isWithoutBrowser)('signing in to the SvelteKit demo', () => {
  const app = demoInBrowser('sveltekit');

  const visitor = (page: Page, name: string) => page.locator('#visitor').getByText(name, { exact: true }).waitFor();
  const signOut = (page: Page) => page.getByRole('button', { name: 'Sign out', exact: true }).click();

  it.each(ways)('leads $name to the page asked for, and out again', async ({ visitor: who, signIn }) => {
    const page = await app.open('/private?chapter=2');
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    await signIn(page, app.inbox);
    await page.waitForURL(`${app.origin}/private?chapter=2`);
    expect(await heading(page)).toBe('The private page');
    expect(await page.locator('strong').innerText()).toBe(who);
    await visitor(page, who);

    await page.getByRole('link', { name: 'Start' }).click();
    await page.getByRole('heading', { name: who }).waitFor();
    await signOut(page);
    await page.getByRole('heading', { name: 'Nobody is signed in' }).waitFor();
    await visitor(page, 'Nobody');
    await page.getByRole('link', { name: 'Private page' }).click();
    await page.waitForURL(/sign-in/);
  });

  it('opens with a passkey that was made before', async () => {
    const page = await app.open('/sign-in');
    await withNewPasskey(page, 'pavel@example.com');
    await page.getByRole('heading', { name: 'pavel@example.com' }).waitFor();
    await signOut(page);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'pavel@example.com' }).waitFor();
  });

  it('tells that the password is wrong, and then lets in', async () => {
    const page = await app.open('/private');
    await withPassword(page, 'wrong');
    await page.getByRole('alert').getByText('Login or password is wrong.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    await visitor(page, 'Nobody');
    await withPassword(page, 'password');
    await page.waitForURL(`${app.origin}/private`);
    expectRefusals(app.complaints);
  });

  it('needs no JavaScript', async () => {
    const page = await app.open('/private', { javaScriptEnabled: false });
    await withPassword(page, 'wrong');
    await page.getByText('Login or password is wrong.').waitFor();
    await withPassword(page, 'password');
    await page.waitForURL(`${app.origin}/private`);
    expect(await heading(page)).toBe('The private page');

    await page.goto(app.origin);
    await page.getByLabel('Name').fill('Somebody Else');
    await page.getByRole('button', { name: 'Change on the server' }).click();
    await page.getByRole('heading', { name: 'Somebody Else' }).waitFor();
    await signOut(page);
    await page.getByRole('heading', { name: 'Nobody is signed in' }).waitFor();

    await page.goto(`${app.origin}/private?chapter=3`);
    await signInAtProvider(page, 'grace');
    await page.waitForURL(`${app.origin}/private?chapter=3`);
    expect(await page.locator('strong').innerText()).toBe('Grace Hopper');
    expectRefusals(app.complaints);
  });

  it('never leads to another site', async () => {
    const page = await app.open('/sign-in?callbackUrl=https%3A%2F%2Fevil.test%2F');
    await withPassword(page, 'password');
    await page.waitForURL(`${app.origin}/`);
  });

  it('can be read by everybody', async () => {
    const page = await app.open('/sign-in', { bypassCSP: true });
    await expectReadable(page);
  });
});

/** The browser tells that a form was refused, which is no fault of the page. */
function expectRefusals(complaints: string[]): void {
  expect(complaints.splice(0)).toEqual([expect.stringContaining('400 (Bad Request)')]);
}

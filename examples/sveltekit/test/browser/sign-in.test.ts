import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { demoInBrowser } from '../../../shared/test/demo-in-browser.ts';
import {
  expectReadable,
  heading,
  isWithoutBrowser,
  signInAtProvider,
  signInWithPassword,
} from '../../../shared/test/visit.ts';
import { ways, withNewPasskey } from '../../../shared/test/ways.ts';

describe.skipIf(isWithoutBrowser)('signing in to the SvelteKit demo', () => {
  const app = demoInBrowser('sveltekit');

  const visitor = (page: Page, name: string) => page.locator('#visitor').getByText(name, { exact: true }).waitFor();
  const signOut = (page: Page) => page.getByRole('button', { name: 'Sign out', exact: true }).click();

  it.each(ways)(
    '$name returns to the requested page, and the visitor can sign out',
    async ({ visitor: who, signIn }) => {
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
      await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
      await visitor(page, 'Not signed in');
      await page.getByRole('link', { name: 'Private page' }).click();
      await page.waitForURL(/sign-in/);
    },
  );

  it('works with a passkey that was created before', async () => {
    const page = await app.open('/sign-in');
    await withNewPasskey(page, 'pavel@example.com');
    await page.getByRole('heading', { name: 'pavel@example.com' }).waitFor();
    await signOut(page);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'pavel@example.com' }).waitFor();
  });

  it('reports a wrong password, and then signs in with the right one', async () => {
    const page = await app.open('/private');
    await signInWithPassword(page, 'wrong');
    await page.getByRole('alert').getByText('Login or password is wrong.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    await visitor(page, 'Not signed in');
    await signInWithPassword(page, 'password');
    await page.waitForURL(`${app.origin}/private`);
    expectRefusals(app.complaints);
  });

  it('works without JavaScript', async () => {
    const page = await app.open('/private', { javaScriptEnabled: false });
    // A passkey needs JavaScript: the browser must not submit these forms itself, also before hydration.
    for (const button of ['Sign in with a passkey', 'Create a passkey']) {
      expect(await page.getByRole('button', { name: button }).isDisabled()).toBe(true);
    }
    await signInWithPassword(page, 'wrong');
    await page.getByText('Login or password is wrong.').waitFor();
    await signInWithPassword(page, 'password');
    await page.waitForURL(`${app.origin}/private`);
    expect(await heading(page)).toBe('The private page');

    await page.goto(app.origin);
    await page.getByLabel('Name').fill('Other Name');
    await page.getByRole('button', { name: 'Change on the server' }).click();
    await page.getByRole('heading', { name: 'Other Name' }).waitFor();
    await signOut(page);
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();

    await page.goto(`${app.origin}/private?chapter=3`);
    await signInAtProvider(page, 'grace');
    await page.waitForURL(`${app.origin}/private?chapter=3`);
    expect(await page.locator('strong').innerText()).toBe('Grace Hopper');
    expectRefusals(app.complaints);
  });

  it('does not redirect to another site', async () => {
    const page = await app.open('/sign-in?callbackUrl=https%3A%2F%2Fevil.test%2F');
    await signInWithPassword(page, 'password');
    await page.waitForURL(`${app.origin}/`);
  });

  it('is accessible', async () => {
    const page = await app.open('/sign-in', { bypassCSP: true });
    await expectReadable(page);
  });
});

/** The browser reports the status 400 of a refused form on its console. */
function expectRefusals(complaints: string[]): void {
  expect(complaints.splice(0)).toEqual([expect.stringContaining('400 (Bad Request)')]);
}

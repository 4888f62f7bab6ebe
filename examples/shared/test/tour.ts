import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type DemoInBrowser, demoInBrowser } from './demo-in-browser.ts';
import { signInWithPassword } from './sign-in.ts';
import { expectReadable, heading, isWithoutBrowser, looks, shoot } from './visit.ts';
import { ways } from './ways.ts';

/**
 * Adds the tests that the examples of all frameworks have in common: a visitor signs in by each method, with both
 * strategies of sessions.
 *
 * ```ts
 * describeTour('hono');
 * ```
 *
 * @param example The folder in `examples`.
 */
export function describeTour(example: string): void {
  describe.skipIf(isWithoutBrowser).each(['jwt', 'database'])(
    `the example ${example}, with %s sessions`,
    (strategy) => {
      testTour(demoInBrowser(example, { env: { SESSION_STRATEGY: strategy } }));
    },
  );
}

function testTour(app: DemoInBrowser): void {
  it.each(ways)('$name returns to the requested page, and the visitor can sign out', async ({ visitor, signIn }) => {
    const page = await app.open('/private?chapter=2');
    expectSignInPage(page);
    await signIn(page, app.inbox);
    await page.waitForURL(`${app.origin}/private?chapter=2`);
    expect(await heading(page)).toBe('The private page');
    expect(await page.locator('strong').innerText()).toBe(visitor);

    await page.goto(app.origin);
    await page.getByRole('heading', { name: visitor }).waitFor();
    await signOut(page);
    await page.goto(`${app.origin}/private`);
    expectSignInPage(page);
  });

  it('guards the private page when a link leads there', async () => {
    const page = await app.open('/');
    await page.getByRole('link', { name: 'Private page' }).click();
    await page.waitForURL(/\/auth\/signin/);
    await signInWithPassword(page, 'password');
    await page.waitForURL(`${app.origin}/private`);
    expect(await heading(page)).toBe('The private page');
  });

  it('shows a changed name', async () => {
    const page = await signedIn(app);
    await page.getByLabel('Name').fill('Other Name');
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('heading', { name: 'Other Name' }).waitFor();
    await page.goto(`${app.origin}/private`);
    expect(await page.locator('strong').innerText()).toBe('Other Name');
  });

  it('does not show a private page after a sign-out in another tab, nor by the back button', async () => {
    const page = await signedIn(app);
    await page.goto(`${app.origin}/private`);
    await page.goto(app.origin);
    const other = await page.context().newPage();
    await other.goto(app.origin);
    await signOut(other);

    await page.goBack();
    await page.waitForURL(/\/auth\/signin/);
    await page.goto(app.origin);
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
  });

  it.each(looks)('can be read in %s at a width of %i', async (colorScheme, width) => {
    const page = await app.open('/', { colorScheme, viewport: { width, height: 760 }, bypassCSP: true });
    const look = async (name: string): Promise<void> => {
      await shoot(page, `${app.example} ${name} ${colorScheme} ${width}`);
      await expectReadable(page);
    };
    await look('start');
    await page.goto(`${app.origin}/auth/signin?callbackUrl=/`);
    await look('sign-in');
    await signInWithPassword(page, 'password');
    await page.waitForURL(`${app.origin}/`);
    await look('signed in');
    await page.goto(`${app.origin}/private`);
    await look('private');
  });
}

async function signedIn(app: DemoInBrowser): Promise<Page> {
  const page = await app.open('/auth/signin?callbackUrl=/');
  await signInWithPassword(page, 'password');
  await page.waitForURL(`${app.origin}/`);
  return page;
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
}

function expectSignInPage(page: Page): void {
  expect(new URL(page.url()).pathname).toBe('/auth/signin');
}

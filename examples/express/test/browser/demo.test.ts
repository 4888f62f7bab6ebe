import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { demoInBrowser } from '../../../shared/test/demo-in-browser.ts';
import { signInAtProvider, signInWithPassword, typePassword } from '../../../shared/test/sign-in.ts';
import {
  expectReadable,
  heading,
  isWithoutBrowser,
  looks,
  session,
  shoot,
  signOut,
} from '../../../shared/test/visit.ts';

describe.skipIf(isWithoutBrowser)('the demo in a browser', () => {
  const app = demoInBrowser('express');

  it.each([
    ['with JavaScript', true],
    ['without JavaScript', false],
  ])('signs in at the provider, shows the session, and signs out, %s', async (title, javaScriptEnabled) => {
    const page = await app.open('/', { javaScriptEnabled });
    expect(await heading(page)).toBe('You are not signed in');
    await shoot(page, `start ${title}`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await shoot(page, `sign-in ${title}`);
    await signInAtProvider(page, 'ada');
    await page.waitForURL(`${app.origin}/`);

    expect(await heading(page)).toBe('Ada Lovelace');
    const { user, expires } = await session(page);
    expect(user).toMatchObject({ name: 'Ada Lovelace', email: 'ada@example.com' });
    expect(Date.parse(String(expires))).toBeGreaterThan(Date.now());
    await shoot(page, `signed in ${title}`);
    await page.reload();
    expect(await heading(page)).toBe('Ada Lovelace');
    await page.getByRole('link', { name: 'Private page' }).click();
    expect(await heading(page)).toBe('The private page');
    await shoot(page, `private ${title}`);

    await signOut(page);
    expect(await heading(page)).toBe('You are not signed in');
    await page.goto(`${app.origin}/private`);
    expect(new URL(page.url()).pathname).toBe('/auth/signin');
  });

  it('lets another user sign in afterwards', async () => {
    const page = await app.open('/auth/signin?callbackUrl=/');
    for (const [login, name] of [
      ['ada', 'Ada Lovelace'],
      ['grace', 'Grace Hopper'],
    ] as const) {
      await signInAtProvider(page, login);
      await page.waitForURL(`${app.origin}/`);
      expect(await heading(page)).toBe(name);
      await signOut(page);
      await page.getByRole('link', { name: 'Sign in' }).click();
    }
  });

  it('shows the picture that the provider serves', async () => {
    const page = await app.open('/auth/signin?callbackUrl=/');
    await signInAtProvider(page, 'grace');
    await page.waitForURL(`${app.origin}/`);
    expect(await page.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  });

  it('signs in with a password, and reports a wrong one', async () => {
    const page = await app.open('/auth/signin?callbackUrl=/');
    await signInWithPassword(page, 'wrong');
    await page.getByText('These details are not correct.').waitFor();
    await shoot(page, 'wrong password');
    await typePassword(page, 'password');
    await page.waitForURL(`${app.origin}/`);
    expect((await session(page)).user).toMatchObject({ name: 'Demo User', email: 'demo@example.com' });
    // The browser reports the status 422 on its console.
    expect(app.complaints.splice(0)).toEqual([expect.stringContaining('422')]);
  });

  it('returns to the protected page that was asked for', async () => {
    const page = await app.open('/private?chapter=2');
    expect(new URL(page.url()).pathname).toBe('/auth/signin');
    await signInAtProvider(page, 'ada');
    await page.waitForURL(`${app.origin}/private?chapter=2`);
    expect(await heading(page)).toBe('The private page');
  });

  it('lets the visitor cancel at the provider, and try again', async () => {
    const page = await app.open('/auth/signin?callbackUrl=/private');
    await page.getByRole('button', { name: 'Sign in with Demo Provider' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alert').waitFor();
    expect(new URL(page.url()).origin).toBe(app.origin);
    await shoot(page, 'canceled');
    await signInAtProvider(page, 'ada');
    await page.waitForURL(`${app.origin}/private`);
  });

  it('refuses a user whose address is not verified', async () => {
    const page = await app.open('/auth/signin?callbackUrl=/');
    await signInAtProvider(page, 'kim');
    await page.waitForURL((url) => url.origin === app.origin);
    await shoot(page, 'not verified');
    await page.goto(app.origin);
    expect(await heading(page)).toBe('You are not signed in');
  });

  it('keeps the session over a restart', async () => {
    const page = await app.open('/auth/signin?callbackUrl=/');
    await signInAtProvider(page, 'ada');
    await page.waitForURL(`${app.origin}/`);
    await app.restart();
    await page.reload();
    expect(await heading(page)).toBe('Ada Lovelace');
    await signOut(page);
    // The account is still in the store, so no second user is created.
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signInAtProvider(page, 'ada');
    await page.waitForURL(`${app.origin}/`);
    expect(await heading(page)).toBe('Ada Lovelace');
    const database = new DatabaseSync(join(app.data, 'demo.sqlite'), { readOnly: true });
    const users = database.prepare('SELECT name FROM auth_users WHERE email = ?').all('ada@example.com');
    database.close();
    expect(users).toEqual([{ name: 'Ada Lovelace' }]);
  });

  it.each(looks)('can be read in %s at a width of %i', async (colorScheme, width) => {
    const page = await app.open('/', { colorScheme, viewport: { width, height: 760 }, bypassCSP: true });
    const look = async (name: string) => {
      await shoot(page, `${name} ${colorScheme} ${width}`);
      await expectReadable(page);
    };
    await look('start');
    await page.goto(`${app.origin}/auth/signin?callbackUrl=/`);
    await look('sign-in');
    await signInAtProvider(page, 'grace');
    await page.waitForURL(`${app.origin}/`);
    await look('signed in');
    await page.goto(`${app.origin}/private`);
    await look('private');
    await page.goto(`${app.origin}/auth/account`);
    await look('account');
    // The browser reports the status 404 on its console.
    await page.goto(`${app.origin}/missing`);
    await look('missing');
    expect(app.complaints.splice(0)).toEqual([expect.stringContaining('404')]);
  });
});

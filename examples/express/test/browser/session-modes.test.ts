import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { demoInBrowser } from '../../../shared/test/demo-in-browser.ts';
import { signInAtProvider, signInWithPassword } from '../../../shared/test/sign-in.ts';
import {
  expectReadable,
  heading,
  isWithoutBrowser,
  looks,
  session,
  shoot,
  signOut,
} from '../../../shared/test/visit.ts';

describe.skipIf(isWithoutBrowser)('the session', () => {
  const app = demoInBrowser('express');

  async function use(page: Page, mode: 'JWT' | 'database'): Promise<void> {
    await page.getByRole('button', { name: `Use ${mode} sessions` }).click();
    await page.locator('.on', { hasText: new RegExp(`^${mode} sessions`, 'i') }).waitFor();
  }

  async function signInAs(page: Page, login: string): Promise<void> {
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    if (login === 'demo') await signInWithPassword(page, 'password');
    else await signInAtProvider(page, login);
    await page.waitForURL(`${app.origin}/`);
  }

  /** Returns the tokens of the user's database sessions. */
  function rowsOf(email: string): unknown[] {
    const database = new DatabaseSync(join(app.data, 'demo.sqlite'), { readOnly: true });
    const rows = database
      .prepare('SELECT sessionToken FROM auth_sessions JOIN auth_users ON auth_users.id = user WHERE email = ?')
      .all(email);
    database.close();
    return rows.map(({ sessionToken }) => sessionToken);
  }

  async function cookie(page: Page, name: string): Promise<string | undefined> {
    return (await page.context().cookies()).find((each) => each.name === name)?.value;
  }

  it('is in the cookie by default, and not in the table of sessions', async () => {
    const page = await app.open();
    await signInAs(page, 'ada');
    expect(await page.locator('.on h3').innerText()).toBe('JWT sessions');
    expect(await cookie(page, 'demo.jwt-session')).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(rowsOf('ada@example.com')).toEqual([]);
    expect(await page.locator('.note').first().innerText()).toContain('Kept in the cookie demo.jwt-session');
  });

  it.each([
    ['demo', 'demo@example.com', true],
    ['grace', 'grace@example.com', false],
  ])('is a row in the database for %s until the sign-out', async (login, email, javaScriptEnabled) => {
    const page = await app.open('/', { javaScriptEnabled });
    await use(page, 'database');
    await signInAs(page, login);
    expect((await session(page)).user).toMatchObject({ email });
    const token = await cookie(page, 'demo.database-session');
    expect(rowsOf(email)).toEqual([token]);
    expect(await page.locator('.note').first().innerText()).toContain('auth_sessions, which has 1 row of this user');
    expect(await cookie(page, 'demo.jwt-session')).toBeUndefined();
    await page.reload();
    expect(rowsOf(email)).toEqual([token]);

    await signOut(page);
    expect(await heading(page)).toBe('You are not signed in');
    expect(rowsOf(email)).toEqual([]);
    expect(await cookie(page, 'demo.database-session')).toBeUndefined();
  });

  it('ends when its row is deleted', async () => {
    const page = await app.open();
    await use(page, 'database');
    await signInAs(page, 'demo');
    const database = new DatabaseSync(join(app.data, 'demo.sqlite'));
    database.exec('DELETE FROM auth_sessions');
    database.close();
    await page.reload();
    expect(await heading(page)).toBe('You are not signed in');
  });

  it('can be switched between the modes, each of which keeps its own session', async () => {
    const page = await app.open();
    await signInAs(page, 'ada');
    await use(page, 'database');
    expect(await heading(page)).toBe('You are not signed in');
    await signInAs(page, 'grace');
    expect(await heading(page)).toBe('Grace Hopper');

    await use(page, 'JWT');
    expect(await heading(page)).toBe('Ada Lovelace');
    await page.goto(`${app.origin}/private`);
    expect(await page.locator('main').innerText()).toContain('Ada Lovelace');
    await page.goto(app.origin);
    await signOut(page);
    await use(page, 'database');
    expect(await heading(page)).toBe('Grace Hopper');
    expect(rowsOf('grace@example.com')).toEqual([await cookie(page, 'demo.database-session')]);
  });

  it.each(looks)('is explained so that it can be read in %s at a width of %i', async (colorScheme, width) => {
    const page = await app.open('/', { colorScheme, viewport: { width, height: 760 }, bypassCSP: true });
    await shoot(page, `sessions jwt ${colorScheme} ${width}`);
    await use(page, 'database');
    await shoot(page, `sessions database ${colorScheme} ${width}`);
    await expectReadable(page);
    await signInAs(page, 'demo');
    await shoot(page, `sessions database signed in ${colorScheme} ${width}`);
    await expectReadable(page);
    await use(page, 'JWT');
    await signInAs(page, 'grace');
    await shoot(page, `sessions jwt signed in ${colorScheme} ${width}`);
    await expectReadable(page);
    await signOut(page);
    await use(page, 'database');
    await signOut(page);
  });
});

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { demoInBrowser } from '../../../shared/test/demo-in-browser.ts';
import { endPhone, userAgents } from '../../../shared/test/sessions-tests.ts';
import { signInAtProvider } from '../../../shared/test/sign-in.ts';
import { expectReadable, heading, isWithoutBrowser, looks, shoot } from '../../../shared/test/visit.ts';

describe.skipIf(isWithoutBrowser)('the list of sessions', () => {
  const app = demoInBrowser('express');

  async function signIn(page: Page, mode: 'JWT' | 'database'): Promise<void> {
    if (mode === 'database') await page.getByRole('button', { name: 'Use database sessions' }).click();
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await signInAtProvider(page, 'ada');
    await page.waitForURL(`${app.origin}/`);
    await page.getByRole('link', { name: 'Your sessions' }).click();
  }

  it.each([
    ['JWT', true],
    ['database', false],
  ] as const)('ends a session of another browser (%s sessions, JavaScript: %s)', async (mode, javaScriptEnabled) => {
    const laptop = await app.open('/', { userAgent: userAgents.laptop, javaScriptEnabled });
    const phone = await app.open('/', { userAgent: userAgents.phone, javaScriptEnabled });
    for (const page of [phone, laptop]) await signIn(page, mode);
    expect(await laptop.locator('li h2').allInnerTexts()).toEqual(['Firefox on Linux This device', 'Safari on iOS']);
    expect(await laptop.locator('li p').first().innerText()).toBe('Signed in just now with Demo Provider');
    await endPhone(laptop);
    await phone.goto(app.origin);
    expect(await heading(phone)).toBe('You are not signed in');

    // The page that asks before a sign-out ends the last one, too.
    await laptop.goto(`${app.origin}/auth/signout?callbackUrl=/`);
    await laptop.getByRole('button', { name: 'Sign out on all devices' }).click();
    await laptop.waitForURL(`${app.origin}/`);
    expect(await heading(laptop)).toBe('You are not signed in');
  });

  it.each(looks)('can be read in %s at a width of %i', async (colorScheme, width) => {
    const page = await app.open('/', { colorScheme, viewport: { width, height: 760 }, bypassCSP: true });
    await signIn(page, 'JWT');
    await shoot(page, `your sessions ${colorScheme} ${width}`);
    await expectReadable(page);
  });
});

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { demoInBrowser } from './demo-in-browser.ts';
import { heading, isWithoutBrowser, session, signInWithPassword, signOut } from './visit.ts';

describe.skipIf(isWithoutBrowser)('a passkey in the demo', () => {
  const app = demoInBrowser();

  /** Gives the page a device that unlocks by itself. Nobody picks from the autofill. */
  async function withDevice(page: Page): Promise<void> {
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    });
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable', { enableUI: false });
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  }

  it.each(['JWT', 'database'])('is made, signs out, and comes back, with %s sessions', async (mode) => {
    const page = await app.open();
    await withDevice(page);
    if (mode === 'database') await page.getByRole('button', { name: 'Use database sessions' }).click();
    const email = `${mode.toLowerCase()}@passkey.example`;
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    const form = page.locator('form', { has: page.getByRole('button', { name: 'Create a passkey' }) });
    await form.getByLabel('Email').fill(email);
    await form.getByRole('button', { name: 'Create a passkey' }).click();
    await page.waitForURL(`${app.origin}/`);
    expect(await session(page)).toMatchObject({ user: { email } });
    await signOut(page);
    expect(await heading(page)).toBe('Nobody is signed in');
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(`${app.origin}/`);
    expect(await session(page)).toMatchObject({ user: { email } });
  });

  it('is added to the account of whoever is signed in, and opens it', async () => {
    const page = await app.open();
    await withDevice(page);
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await signInWithPassword(page, 'password');
    await page.waitForURL(`${app.origin}/`);
    await page.goto(`${app.origin}/auth/signin?callbackUrl=/`);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.waitForURL(`${app.origin}/`);
    await signOut(page);
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(`${app.origin}/`);
    expect(await session(page)).toMatchObject({ user: { email: 'demo@example.com' } });
  });
});

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { demoInBrowser } from '../../../shared/test/demo-in-browser.ts';
import { createPasskey } from '../../../shared/test/sign-in.ts';
import { withDevice } from '../../../shared/test/virtual-authenticator.ts';
import { heading, isWithoutBrowser, session, signOut } from '../../../shared/test/visit.ts';

describe.skipIf(isWithoutBrowser)('a passkey in the demo', () => {
  const app = demoInBrowser('express');

  async function register(page: Page, email: string): Promise<void> {
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await createPasskey(page, email);
    await page.waitForURL(`${app.origin}/`);
  }

  it.each(['JWT', 'database'])('signs a user in again after a sign-out, with %s sessions', async (mode) => {
    const page = await app.open();
    await withDevice(page);
    if (mode === 'database') await page.getByRole('button', { name: 'Use database sessions' }).click();
    const email = `${mode.toLowerCase()}@passkey.example`;
    await register(page, email);
    expect(await session(page)).toMatchObject({ user: { email } });
    await signOut(page);
    expect(await heading(page)).toBe('You are not signed in');
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(`${app.origin}/`);
    expect(await session(page)).toMatchObject({ user: { email } });
  });

  it('signs in by autofill', async () => {
    const page = await app.open();
    await withDevice(page, { autofill: true });
    await register(page, 'autofill@passkey.example');
    await signOut(page);
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.waitForURL(`${app.origin}/`);
    expect(await session(page)).toMatchObject({ user: { email: 'autofill@passkey.example' } });
  });

  it('is refused if it is a clone, whose counter is lower', async () => {
    const page = await app.open();
    const { cdp, authenticatorId } = await withDevice(page);
    await register(page, 'clone@passkey.example');
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    await signOut(page);
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(`${app.origin}/`);
    const thief = await app.open();
    const stolen = await withDevice(thief);
    for (const credential of credentials)
      await stolen.cdp.send('WebAuthn.addCredential', { authenticatorId: stolen.authenticatorId, credential });
    await thief.getByRole('link', { name: 'Sign in' }).first().click();
    await thief.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await thief.getByText('Your passkey could not be verified.').waitFor();
    // The browser reports the status 422 on its console.
    expect(app.complaints.splice(0)).toEqual([expect.stringContaining('422')]);
    await thief.goto(app.origin);
    expect(await heading(thief)).toBe('You are not signed in');
  });
});

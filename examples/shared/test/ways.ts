import type { Page } from 'playwright-core';
import { withDevice } from './virtual-authenticator.ts';
import { signInAtProvider, signInWithPassword } from './visit.ts';

/** A sign-in method, and the steps from the sign-in page on. */
export interface Way {
  readonly name: string;
  /** The name or address of the signed-in user. */
  readonly visitor: string;
  readonly signIn: (page: Page, inbox: string) => Promise<void>;
}

/** The sign-in methods of the demos. */
export const ways: readonly Way[] = [
  { name: 'at the provider', visitor: 'Ada Lovelace', signIn: (page) => signInAtProvider(page, 'ada') },
  { name: 'with a password', visitor: 'Demo User', signIn: (page) => signInWithPassword(page, 'password') },
  { name: 'with a mailed link', visitor: 'nina@example.com', signIn: byMail },
  {
    name: 'with a new passkey',
    visitor: 'paula@example.com',
    signIn: (page) => withNewPasskey(page, 'paula@example.com'),
  },
];

async function byMail(page: Page, inbox: string): Promise<void> {
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Mail me a link' }) });
  await form.getByLabel('Email').fill('nina@example.com');
  await form.getByRole('button').click();
  await page.waitForURL(/verify-request/);
  await page.goto(inbox);
  await page.frameLocator('.mail[open] iframe').getByRole('link', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/callback\/nodemailer/);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Creates a passkey on a new authenticator, for an email address without a user. */
export async function withNewPasskey(page: Page, email: string): Promise<void> {
  await withDevice(page);
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Create a passkey' }) });
  await form.getByLabel('Email').fill(email);
  await form.getByRole('button').click();
}

import type { Page } from 'playwright-core';
import { withDevice } from './virtual-authenticator.ts';
import { signInAtProvider } from './visit.ts';

/** A way to sign in, from the sign-in page to the page asked for. */
export interface Way {
  readonly name: string;
  /** Who is signed in then. */
  readonly visitor: string;
  readonly signIn: (page: Page, inbox: string) => Promise<void>;
}

/** All of them. */
export const ways: readonly Way[] = [
  { name: 'at the provider', visitor: 'Ada Lovelace', signIn: (page) => signInAtProvider(page, 'ada') },
  { name: 'with a password', visitor: 'Demo User', signIn: (page) => withPassword(page, 'password') },
  { name: 'with a mailed link', visitor: 'nina@example.com', signIn: byMail },
  {
    name: 'with a new passkey',
    visitor: 'paula@example.com',
    signIn: (page) => withNewPasskey(page, 'paula@example.com'),
  },
];

/** Sends the form for login and password. */
export async function withPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('Login').fill('demo');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in with a password' }).click();
}

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

/** Makes a passkey, on a device of its own, for an address that nobody has signed in with yet. */
export async function withNewPasskey(page: Page, email: string): Promise<void> {
  await withDevice(page);
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Create a passkey' }) });
  await form.getByLabel('Email').fill(email);
  await form.getByRole('button').click();
}

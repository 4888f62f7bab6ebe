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
  { name: 'with a mailed link', visitor: 'nina@example.com', signIn: byLink },
  { name: 'with a mailed code', visitor: 'noor@example.com', signIn: byCode },
  {
    name: 'with a new passkey',
    visitor: 'paula@example.com',
    signIn: (page) => withNewPasskey(page, 'paula@example.com'),
  },
];

async function byLink(page: Page, inbox: string): Promise<void> {
  await requestMail(page, 'nina@example.com');
  await page.goto(inbox);
  await page.frameLocator('.mail[open] iframe').getByRole('link', { name: 'Sign in', exact: true }).click();
}

async function byCode(page: Page, inbox: string): Promise<void> {
  await requestMail(page, 'noor@example.com');
  await page.goto(inbox);
  const mail = await page.frameLocator('.mail[open] iframe').locator('body').innerText();
  await page.goBack();
  await page.getByLabel('Code from the email').fill(codeIn(mail));
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function requestMail(page: Page, address: string): Promise<void> {
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Sign in with email' }) });
  await form.getByRole('textbox').fill(address);
  await form.getByRole('button').click();
  await page.waitForURL(/verify-request/);
}

/** Returns the code in a mail, as readers see it: two groups of digits. */
export function codeIn(mail: string): string {
  return /\b\d{4} \d{4}\b/.exec(mail)?.[0] ?? '';
}

/** Creates a passkey on a new authenticator, for an email address without a user. */
export async function withNewPasskey(page: Page, email: string): Promise<void> {
  await withDevice(page);
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Create a passkey' }) });
  await form.getByLabel('Email').fill(email);
  await form.getByRole('button').click();
}

import type { Page } from 'playwright-core';
import { withDevice } from './virtual-authenticator.ts';

// The pages of all demos have the same layout and the same words.

/** Signs in at the provider, from the sign-in page on, or adds an account there. */
export async function signInAtProvider(page: Page, login: string, password = 'password'): Promise<void> {
  await page.getByRole('button', { name: /(Sign in with|Add) Demo Provider/ }).click();
  await atProvider(page, login, password);
}

/** Signs in on the page of the provider, to which the browser is on its way. */
export async function atProvider(page: Page, login: string, password = 'password'): Promise<void> {
  await page.waitForURL(/\/interaction\//);
  await page.getByLabel('Login').fill(login);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Signs in with a password, from the sign-in page on. */
export async function signInWithPassword(page: Page, password: string): Promise<void> {
  await typeName(page, 'demo');
  await typePassword(page, password);
}

/** Types a login or an address on the sign-in page, which leads to the password. */
async function typeName(page: Page, name: string): Promise<void> {
  await page.getByLabel(/^Email/).fill(name);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Types a password, after the login. */
export async function typePassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Asks for a mail to the address, from the sign-in page on. A user without a password is asked for none. */
export async function requestMail(page: Page, address: string): Promise<void> {
  await typeName(page, address);
  const button = page.getByRole('button', { name: 'Email me a link' });
  await button.or(page.getByRole('heading', { name: 'Check your inbox' })).waitFor();
  if (await button.isVisible()) await button.click();
  await page.waitForURL(/verify-request/);
}

/** Signs in with the link of a mail, from the sign-in page on. */
export async function signInByLink(page: Page, address: string, inbox: string): Promise<void> {
  await requestMail(page, address);
  await page.goto(inbox);
  await page.frameLocator('.mail[open] iframe').getByRole('link', { name: 'Sign in', exact: true }).click();
}

/** Signs in with the code of a mail, from the sign-in page on. */
export async function signInByCode(page: Page, address: string, inbox: string): Promise<void> {
  await requestMail(page, address);
  await page.goto(inbox);
  const mail = await page.frameLocator('.mail[open] iframe').locator('body').innerText();
  await page.goBack();
  await page.getByLabel('Code from the email').fill(codeIn(mail));
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Returns the code in a mail, as readers see it: two groups of digits. */
export function codeIn(mail: string): string {
  return /\b\d{4} \d{4}\b/.exec(mail)?.[0] ?? '';
}

/** Creates a passkey on the authenticator of the page, from the sign-in page on. */
export async function createPasskey(page: Page, email: string): Promise<void> {
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Create a passkey' }).click();
}

/** Creates a passkey on a new authenticator, for an email address without a user. */
export async function withNewPasskey(page: Page, email: string): Promise<void> {
  await withDevice(page);
  await createPasskey(page, email);
}

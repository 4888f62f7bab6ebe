import type { Page } from 'playwright-core';

/** Signs in with a password, from the sign-in page on. */
export async function signInWithPassword(page: Page, password: string): Promise<void> {
  await typeName(page, 'demo');
  await typePassword(page, password);
}

/** Types a login or an address on the sign-in page, which leads to the password. */
async function typeName(page: Page, name: string): Promise<void> {
  await page.getByLabel('Email or Login').fill(name);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Types a password, after the login. */
export async function typePassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Asks for a mail to the address, from the sign-in page on. */
export async function requestMail(page: Page, address: string): Promise<void> {
  await typeName(page, address);
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await page.waitForURL(/verify-request/);
}

/** Creates a passkey on the authenticator of the page, from the sign-in page on. */
export async function createPasskey(page: Page, email: string): Promise<void> {
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Create a passkey' }).click();
}

import type { Browser } from '@latchkey/testing';
import { expect } from 'vitest';

/** Signs in Ada with her password, through the form action. */
export async function signedIn(browser: Browser): Promise<Browser> {
  const page = await browser.post('/shop/signin?/plain', { providerId: 'credentials', password: 'right' });
  expect(page.status).toBe(302);
  expect(page.cookie('authjs.session-token')).toBeDefined();
  return browser;
}

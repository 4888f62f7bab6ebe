import { customFetch } from '@latchkey/core';
import type { OIDCConfig } from '@latchkey/core/providers';
import type { Profile } from '@latchkey/core/types';
import { type Browser, DEFAULT_SECRET, type FakeProvider } from '@latchkey/testing';
import { expect } from 'vitest';

/** Signs in Ada with her password, through the form action. */
export async function signedIn(browser: Browser): Promise<Browser> {
  const page = await browser.post('/shop/signin?/plain', { providerId: 'credentials', password: 'right' });
  expect(page.status).toBe(302);
  expect(page.cookie('authjs.session-token')).toBeDefined();
  return browser;
}

/** The fake provider as an application configures it. */
export function oidc(fake: FakeProvider, own: Partial<OIDCConfig<Profile>> = {}): OIDCConfig<Profile> {
  return {
    id: 'fake',
    name: 'Fake',
    type: 'oidc',
    issuer: fake.issuer,
    clientId: 'client',
    clientSecret: DEFAULT_SECRET,
    [customFetch]: fake.fetch,
    ...own,
  };
}

import type { Page } from 'playwright-core';
import { type Authenticator, addAuthenticator } from '../../../packages/core/test/browser/authenticator.ts';

/** Adds an authenticator that verifies the user without interaction. By default, autofill of passkeys is off. */
export async function withDevice(page: Page, { autofill = false } = {}): Promise<Authenticator> {
  if (!autofill)
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    });
  return addAuthenticator(page);
}

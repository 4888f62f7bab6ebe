import type { CDPSession, Page } from 'playwright-core';

/** A virtual authenticator of a page, and the session of the DevTools protocol that controls it. */
export interface Device {
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

/** Adds an authenticator that verifies the user without interaction. By default, autofill of passkeys is off. */
export async function withDevice(page: Page, { autofill = false } = {}): Promise<Device> {
  if (!autofill)
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

import type { CDPSession, Page } from 'playwright-core';

/** A device in a page, and how to reach it. */
export interface Device {
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

/** Gives the page a device that unlocks by itself. Unless told otherwise, nobody picks from the autofill. */
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

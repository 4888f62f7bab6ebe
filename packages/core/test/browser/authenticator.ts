import type { CDPSession, Page } from 'playwright-core';

/** An authenticator of Chromium that answers without a visitor. */
export interface Authenticator {
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

/** Adds a virtual authenticator to a tab. */
export async function addAuthenticator(tab: Page): Promise<Authenticator> {
  const cdp = await tab.context().newCDPSession(tab);
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

import { MemorySessionRecords } from '@latchkey/testing';
import { type OidcProvider, startOidcProvider } from '@latchkey/testing/oidc-provider';
import type { Browser, Page as Tab } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isWithoutChromium, launchChromium } from '../../../../test/chromium.ts';
import { freePort } from '../../../../test/services/port.ts';
import { clientOf, type Site, serveSite } from '../flows-real/logout-site.ts';

describe.skipIf(isWithoutChromium)('signing out at the provider, in Chromium', () => {
  let browser: Browser;
  let provider: OidcProvider;
  let one: Site;
  let two: Site;

  beforeAll(async () => {
    const port = await freePort();
    const issuer = `http://127.0.0.1:${port}`;
    [browser, one, two] = await Promise.all([launchChromium(), host('one', issuer), host('two', issuer)]);
    const clients = [one, two].map(clientOf);
    provider = await startOidcProvider({ host: '127.0.0.1', port, backchannelLogout: true, clients });
  });
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
  afterAll(async () => {
    await browser?.close();
    await provider?.close();
    one?.close();
    two?.close();
  });

  /** @param answer The button on the provider's page: the user, or consent if the visitor is signed in there. */
  async function signIn(tab: Tab, { origin }: Site, answer: string): Promise<void> {
    await tab.goto(`${origin}/auth/signin?callbackUrl=/inside`);
    await tab.getByRole('button', { name: 'Sign in with Provider' }).click();
    await tab.getByRole('button', { name: answer }).click();
    await tab.waitForURL(`${origin}/inside`);
  }

  /** Reads the session in a tab of its own. */
  async function session(tab: Tab, { origin }: Site): Promise<unknown> {
    const other = await tab.context().newPage();
    await other.goto(`${origin}/auth/session`);
    const text = await other.innerText('body');
    await other.close();
    return JSON.parse(text);
  }

  it.each([true, false])(
    'leads to the provider and back, and ends the other session (scripts: %s)',
    async (scripts) => {
      const context = await browser.newContext({ javaScriptEnabled: scripts });
      const tab = await context.newPage();
      await signIn(tab, one, 'Ada Lovelace');
      await signIn(tab, two, 'Continue');
      expect([await session(tab, one), await session(tab, two)]).not.toContain(null);

      await tab.goto(`${one.origin}/auth/signout?callbackUrl=/bye`);
      await tab.getByRole('button', { name: 'Sign out', exact: true }).click();
      await tab.waitForURL((url) => url.origin === provider.issuer);
      expect(await session(tab, one)).toBeNull();
      await tab.getByRole('button', { name: 'Sign out' }).click();
      await tab.waitForURL(`${one.origin}/bye`);
      expect([await session(tab, one), await session(tab, two)]).toEqual([null, null]);
      expect([one.log, two.log]).toEqual([[], []]);
    },
  );
});

/** Serves a site with a host of its own, because cookies do not depend on the port. */
async function host(clientId: string, issuer: string): Promise<Site> {
  const port = await freePort();
  const origin = `http://${clientId}.localhost:${port}`;
  return serveSite({ origin, clientId, issuer, store: MemorySessionRecords(), port });
}

import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { launchChromium } from '../../../../test/chromium.ts';
import { type Site, startSite } from '../react/site.ts';
import { open, signInAs, type Tab, type Visit } from './visit.ts';

/** The application and a fresh browser profile for each test of a file. */
export interface Fixture {
  site: Site;
  profile: BrowserContext;
  /** Opens the page in a new tab. */
  open(visit?: Visit): Promise<Tab>;
  /** Signs the profile in before there is a page. */
  signIn(name: string): Promise<void>;
  /** Requests about the session so far. */
  asked(): string[];
}

/**
 * To be called in a `describe`.
 *
 * @param isWhole See `launchChromium`. Default: `false`.
 */
export function fixture(isWhole = false): Fixture {
  let browser: Browser;
  const it = {
    open: (visit?: Visit) => open(it.profile, it.site, visit),
    signIn: (name: string) => signInAs(it.profile, it.site, name),
    asked: () => it.site.requests.filter((request) => request.endsWith('session')),
  } as Fixture;
  beforeAll(async () => {
    [browser, it.site] = await Promise.all([launchChromium(isWhole), startSite()]);
  });
  beforeEach(async () => {
    it.profile = await browser.newContext();
    it.site.requests.length = 0;
  });
  afterEach(() => it.profile?.close());
  afterAll(async () => {
    await browser?.close();
    await it.site?.close();
  });
  return it;
}

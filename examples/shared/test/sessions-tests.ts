import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { DemoInBrowser } from './demo-in-browser.ts';
import { signInWithPassword } from './sign-in.ts';
import { expectReadable } from './visit.ts';

/** Two browsers, which the list of sessions tells apart. */
export const userAgents = {
  laptop: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  phone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1',
};

/** Ends the session of the phone, in the list that the laptop shows. */
export async function endPhone(laptop: Page): Promise<void> {
  await laptop.locator('li', { hasText: 'Safari on iOS' }).getByRole('button', { name: 'Sign out' }).click();
  await laptop.getByText('You are signed in on this device only').waitFor();
}

/** Adds the test of the list of sessions that the demos of Next.js and SvelteKit have in common. */
export function testSessions(app: DemoInBrowser): void {
  it.each([true, false])('ends the sessions of other browsers (JavaScript: %s)', async (javaScriptEnabled) => {
    const laptop = await app.open('/devices', { userAgent: userAgents.laptop, javaScriptEnabled, bypassCSP: true });
    const phones = [
      await app.open('/devices', { userAgent: userAgents.phone, javaScriptEnabled }),
      await app.open('/devices', { userAgent: userAgents.phone, javaScriptEnabled }),
    ] as const;
    for (const page of [...phones, laptop]) {
      await signInWithPassword(page, 'password');
      await page.waitForURL(`${app.origin}/devices`);
    }
    const names = laptop.locator('li h2');
    const ofPhones = names.filter({ hasText: 'Safari on iOS' });
    await expect.poll(() => ofPhones.count()).toBe(2);
    if (javaScriptEnabled) await expectReadable(laptop);
    await laptop.getByRole('button', { name: 'Sign out: Safari on iOS' }).first().click();
    await expect.poll(() => ofPhones.count()).toBe(1);
    await laptop.getByRole('button', { name: 'Sign out on all other devices' }).click();
    await expect.poll(() => names.allInnerTexts()).toEqual(['Firefox on Linux']);
    for (const phone of phones) {
      await phone.goto(`${app.origin}/devices`);
      expect(new URL(phone.url()).pathname).toBe('/sign-in');
    }
  });
}

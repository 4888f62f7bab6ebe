import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { isWithoutChromium, launchChromium } from '../../../test/chromium.ts';

const shots = fileURLToPath(new URL('../../screenshots/', import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const violations =
  'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))';

export const isWithoutBrowser: boolean = isWithoutChromium;

/** Color schemes and widths of pages that must be readable. Layouts do not depend on colors, so each is tried once. */
export const looks = [
  ['light', 1280],
  ['dark', 375],
] as const;

/** Starts Chromium without background activity. */
export function launch(): Promise<Browser> {
  return launchChromium();
}

/**
 * Opens a page in a new browser profile.
 *
 * @param complaints Receives the errors on the page's console, such as blocked styles or pictures.
 */
export async function openPage(
  browser: Browser,
  address: string,
  complaints: string[],
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 760 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(address);
  return page;
}

/** Returns the text of the first heading. */
export function heading(page: Page): Promise<string> {
  return page.locator('h1').innerText();
}

/**
 * Returns the application's cookies by name, and whether they have `Secure`. Leaves out the provider's cookies: a host
 * shares its cookies between all ports.
 */
export async function ourCookies(page: Page): Promise<Record<string, boolean>> {
  const cookies = await page.context().cookies();
  const ours = cookies.filter(({ name }) => !name.startsWith('op.'));
  return Object.fromEntries(ours.map(({ name, secure }) => [name, secure]));
}

/** Returns the session that the start page shows. */
export async function session(page: Page): Promise<Record<string, unknown>> {
  return JSON.parse(await page.locator('pre').innerText());
}

/** Saves a picture of the whole page if `SCREENSHOTS` is set. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (!process.env['SCREENSHOTS']) return;
  await page.screenshot({ path: `${shots}${name}.png`, fullPage: true });
}

/**
 * Expects that the page has no accessibility problems that axe finds, and does not scroll sideways. The page must have
 * been opened with `bypassCSP`.
 */
export async function expectReadable(page: Page): Promise<void> {
  await page.evaluate(axe);
  expect(await page.evaluate(violations)).toEqual([]);
  const width = page.viewportSize()?.width ?? 0;
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
}

/** Signs out, from a page of the Express demo. */
export async function signOut(page: Page): Promise<void> {
  const { origin } = new URL(page.url());
  await page.getByRole('link', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.waitForURL(`${origin}/`);
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isWithoutChromium, launchChromium } from '../../../../test/chromium.ts';
import type { Page } from '../../src/views/document.ts';
import { pageReply } from '../../src/wire/page.ts';
import { payloads, poisoned } from '../views/hostile.ts';
import { samplePages } from '../views/samples.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const address = 'http://localhost/auth/page';

/** All rules of axe, and those rules that depend on colors. */
const rules = { all: '{}', colors: "{ runOnly: ['color-contrast', 'link-in-text-block'] }" };

const runAxe = (which: keyof typeof rules): string => `axe.run(${rules[which]}).then(({ violations }) =>
  violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html + node.failureSummary)]))`;

describe.skipIf(isWithoutChromium)('pages in a browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });

  afterAll(() => browser?.close());

  /** One browser context for all tests with the same settings. Pages do not store data, and a new context is slow. */
  const profiles = new Map<string, Promise<BrowserContext>>();
  function profileWith(options: BrowserContextOptions): Promise<BrowserContext> {
    const name = JSON.stringify(options);
    const profile = profiles.get(name) ?? browser.newContext(options);
    profiles.set(name, profile);
    return profile;
  }

  /** The messages on the consoles of the pages since the last test. */
  const complaints: string[] = [];
  beforeEach(() => void complaints.splice(0));

  /** Serves the page as an action does, with its policy. */
  async function open(page: Page, options: BrowserContextOptions = {}): Promise<Tab> {
    const tab = await (await profileWith(options)).newPage();
    tab.on('console', (message) => complaints.push(message.text()));
    const { headers, body } = await pageReply(page);
    await tab.route('**/*', (route) =>
      route.request().url() === address
        ? route.fulfill({ body: String(body), headers: headers as Record<string, string> })
        : route.fulfill({ status: 204 }),
    );
    await tab.goto(address);
    return tab;
  }

  async function violations(page: Page, inTheLight: keyof typeof rules = 'all'): Promise<unknown[]> {
    const tab = await open(page, { bypassCSP: true });
    await tab.evaluate(axe);
    const found: unknown[] = [];
    for (const [colorScheme, which] of [
      ['light', inTheLight],
      ['dark', 'colors'],
    ] as const) {
      await tab.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      found.push(...((await tab.evaluate(runAxe(which))) as unknown[]));
    }
    await tab.close();
    return found;
  }

  it.each(Object.entries(samplePages({})))('%s passes all rules of axe', async (_name, page) => {
    expect(await violations(page)).toEqual([]);
  });

  it.each([
    { brandColor: '#7c5cff' },
    { brandColor: '#ffd700' },
    { brandColor: '#ffffff', colorScheme: 'light' },
    { brandColor: '#101820', buttonText: 'white', colorScheme: 'dark' },
  ] as const)('the pages pass the rules of axe about colors, with theme %j', async (theme) => {
    for (const name of ['sign-in-30-all', 'sign-out', 'verify-request', 'error-denied']) {
      expect(await violations(samplePages(theme)[name] ?? expect.unreachable(), 'colors')).toEqual([]);
    }
  });

  it.each(Object.entries(samplePages({ brandColor: '#ffd700' })))(
    '%s obeys its own policy, and fits a narrow screen, with targets large enough for a finger',
    async (_name, page) => {
      const tab = await open(page, { viewport: { width: 320, height: 640 } });
      const facts = await tab.evaluate(`({
      corner: getComputedStyle(document.querySelector('.card')).borderTopLeftRadius,
      overflow: document.documentElement.scrollWidth - innerWidth,
      small: [...document.querySelectorAll('a, button, input:not([type=hidden],[type=checkbox]), .choice')]
        .filter((element) => element.getBoundingClientRect().height < 43.9).map((element) => element.outerHTML),
    })`);
      expect(facts).toEqual({ corner: '16px', overflow: 0, small: [] });
      expect(complaints.filter((text) => text.includes('Content Security Policy'))).toEqual([]);
      await tab.close();
    },
  );

  it('follows the visitor, unless the owner has decided', async () => {
    const background = async (theme: object, colorScheme: 'light' | 'dark'): Promise<unknown> => {
      const tab = await open(samplePages(theme)['verify-request'] ?? expect.unreachable(), { colorScheme });
      const color = await tab.evaluate(`getComputedStyle(document.querySelector('.card')).backgroundColor`);
      await tab.close();
      return color;
    };
    const [light, dark] = ['rgb(255, 255, 255)', 'rgb(23, 25, 30)'];
    expect(await background({}, 'light')).toBe(light);
    expect(await background({}, 'dark')).toBe(dark);
    expect(await background({ colorScheme: 'light' }, 'dark')).toBe(light);
    expect(await background({ colorScheme: 'dark' }, 'light')).toBe(dark);
  });

  it('does not run hostile text', async () => {
    const tab = await browser.newPage();
    await tab.route('**/*', (route) => route.abort());
    const foundIn = (html: string): Promise<unknown> =>
      tab.evaluate(`new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.srcdoc = ${JSON.stringify(html)};
      frame.onload = () => {
        const all = [...frame.contentDocument.querySelectorAll('*')];
        const hasHandler = ({ attributes }) => [...attributes].some(({ name }) => name.startsWith('on'));
        const isForeign = (element) => element.matches('xss, script:not([type=module][src])') || hasHandler(element);
        resolve([frame.contentWindow.xss ?? 0, ...all.filter(isForeign).map((element) => element.outerHTML)]);
        frame.remove();
      };
      document.body.append(frame);
    })`);
    expect(await foundIn('<xss></xss><img src=x onerror="globalThis.xss=1"><script></script>')).toHaveLength(4);
    for (const html of payloads.flatMap(poisoned)) expect(await foundIn(html)).toEqual([0]);
    await tab.close();
  });
});

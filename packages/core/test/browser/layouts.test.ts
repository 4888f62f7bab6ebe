import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWithoutChromium, launchChromium } from '../../../../test/chromium.ts';
import { answerNodeRequest } from '../../src/binding.ts';
import { addAuthenticator } from './authenticator.ts';
import { configOf, type Keys, layouts } from './layouts.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const runAxe = `axe.run().then(({ violations }) =>
  violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html + node.failureSummary)]))`;

/** Without scripts, the browser calls no timers either. axe waits for some. */
const withoutTimers = `globalThis.setTimeout = (call) => void Promise.resolve().then(() => call());`;

const colors = ['light', 'dark', 'forced'] as const;
const widths = [320, 768, 1280] as const;
const languages = ['en', 'de', 'ar'] as const;

/** One page in one surrounding. */
interface Sample {
  readonly layout: string;
  readonly color: (typeof colors)[number];
  readonly width: (typeof widths)[number];
  readonly language: (typeof languages)[number];
  readonly scripts: boolean;
}

const pick = <T>(values: readonly T[], index: number): T => values[index % values.length] as T;

/** Three samples of each layout. Each pair of values occurs in one of them. */
const samples: readonly Sample[] = Object.keys(layouts).flatMap((layout, index) =>
  widths.map((width, round) => ({
    ...{ layout, width, scripts: round !== index % 3 },
    color: pick(colors, round + index),
    language: pick(languages, round + Math.floor(index / 3)),
  })),
);

it('the samples have each pair of layout, color scheme, width, language and scripts', () => {
  const values = {
    layout: Object.keys(layouts),
    color: colors,
    width: widths,
    language: languages,
    scripts: [true, false],
  };
  const names = Object.keys(values) as (keyof Sample)[];
  const pairs = names.flatMap((first, index) =>
    names
      .slice(index + 1)
      .flatMap((second) =>
        values[first].flatMap((one) => values[second].map((other) => ({ [first]: one, [second]: other }))),
      ),
  );
  for (const pair of pairs) expect(samples).toContainEqual(expect.objectContaining(pair));
});

/** The elements that visitors see and use, with their boxes: left, top, width, height. */
const measure = `Object.fromEntries([...document.querySelectorAll('h1, input:not([type=hidden]), button, summary, a')]
  .filter((element) => element.checkVisibility())
  .map((element, index) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [index + ' ' + element.localName, [x, y + scrollY, width, height].map(Math.round)];
  }))`;

type Boxes = Record<string, [left: number, top: number, width: number, height: number]>;

const boxesFile = new URL('layouts.boxes.json', import.meta.url);
/** Pixels by which a box may differ. Fonts of other machines have other line heights. */
const TOLERANCE = 6;

describe.skipIf(isWithoutChromium)('the layouts of the sign-in page', () => {
  let browser: Browser;
  let server: Server;
  let origin: string;

  beforeAll(async () => {
    const configs = Object.values(layouts).map(configOf);
    server = createServer((request, response) => {
      const [, index = ''] = /^\/(\d+)\//.exec(request.url ?? '') ?? [];
      const config = configs[Number(index)];
      if (index === '' || !config) return response.end('<h1>Inside</h1>');
      const place = { origin, path: request.url ?? '', basePath: `/${index}/auth` };
      return answerNodeRequest(request, response, { config, call: {} }, place);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // Passkeys belong to domains, so an IP address would not work.
    origin = `http://localhost:${(server.address() as AddressInfo).port}`;
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
  });

  const urlOf = (layout: string): string =>
    `${origin}/${Object.keys(layouts).indexOf(layout)}/auth/signin?callbackUrl=/inside`;

  /** Opens the page in a profile of its own. Requests to other origins are recorded, and not sent. */
  async function open(layout: string, options: BrowserContextOptions = {}): Promise<{ tab: Tab; others: string[] }> {
    const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce', ...options });
    const tab = await context.newPage();
    tab.setDefaultTimeout(20_000);
    const others: string[] = [];
    await tab.route(
      (url) => url.origin !== origin,
      (route) => {
        others.push(route.request().url());
        return route.fulfill({ body: '<h1>Elsewhere</h1>', contentType: 'text/html' });
      },
    );
    await tab.goto(urlOf(layout));
    return { tab, others };
  }

  it.each(samples)('$layout: $color, $width px, $language, scripts: $scripts', async (sample) => {
    const { layout, color, width, language, scripts } = sample;
    const { tab, others } = await open(layout, {
      ...{ viewport: { width, height: 800 }, locale: language, javaScriptEnabled: scripts, bypassCSP: true },
      ...(color === 'forced' ? { forcedColors: 'active' } : { colorScheme: color }),
    });
    const facts = await tab.evaluate(`({
      language: document.documentElement.lang,
      headings: document.querySelectorAll('h1').length,
      primary: document.querySelectorAll('.button:not(.quiet)').length,
      focused: document.activeElement.matches('input[autofocus]') || !document.querySelector('input[autofocus]'),
      overflow: document.documentElement.scrollWidth - innerWidth,
      autocomplete: [...document.querySelectorAll('input:not([type=hidden])')].map(({ autocomplete }) => autocomplete),
    })`);
    const { autocomplete, keys } = layouts[layout] ?? expect.unreachable();
    expect(facts).toEqual({
      ...{ language, autocomplete, headings: 1, focused: true, overflow: 0 },
      // Further ways that open have a primary button each.
      primary: keys === 'service' ? 0 : ({ everything: 3, 'two mails and a service': 2 }[layout] ?? 1),
    });
    await tab.evaluate(scripts ? axe : withoutTimers + axe);
    expect(await tab.evaluate(runAxe)).toEqual([]);
    expect(others).toEqual([]);
    await tab.context().close();
  });

  it('have their elements where the committed file says', async () => {
    const found: Record<string, Boxes> = {};
    for (const layout of Object.keys(layouts)) {
      const { tab } = await open(layout);
      for (const width of widths) {
        await tab.setViewportSize({ width, height: 800 });
        found[`${layout}, ${width} px`] = (await tab.evaluate(measure)) as Boxes;
      }
      await tab.context().close();
    }
    if (process.env['UPDATE_BOXES'] || !existsSync(boxesFile)) writeFileSync(boxesFile, toJson(found));
    const expected = JSON.parse(readFileSync(boxesFile, 'utf8')) as typeof found;
    expect(Object.keys(found)).toEqual(Object.keys(expected));
    for (const [name, boxes] of Object.entries(expected))
      expect(differences(found[name] ?? {}, boxes), name).toEqual([]);
  });

  /** Moves the focus with Tab until it is on the element with this text. */
  async function tabTo(tab: Tab, text: string): Promise<void> {
    for (let presses = 0; presses < 40; presses++) {
      if ((await tab.evaluate('document.activeElement.textContent.trim()')) === text) return;
      await tab.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach "${text}"`);
  }

  async function press(tab: Tab, text: string): Promise<void> {
    await tabTo(tab, text);
    await tab.keyboard.press('Enter');
  }

  async function type(tab: Tab, ...values: string[]): Promise<void> {
    for (const [index, value] of values.entries()) {
      if (index > 0) await tab.keyboard.press('Tab');
      await tab.keyboard.type(value);
    }
    await tab.keyboard.press('Enter');
  }

  const isInside = ({ pathname }: URL): boolean => pathname === '/inside';

  /** Signs in without a pointer. The first field has the focus. */
  const signIn: Readonly<Record<Keys, (tab: Tab) => Promise<void>>> = {
    async service(tab) {
      const label = (await tab.locator('.providers .label').first().innerText()).trim();
      const request = tab.waitForRequest(/^https:\/\/github\.com\/login\/oauth\/authorize/);
      await press(tab, label);
      await request;
    },
    async mail(tab) {
      await type(tab, 'ada@example.com');
      await tab.waitForURL(/verify-request/);
      expect(await tab.evaluate('document.activeElement.name')).toBe('code');
    },
    async password(tab) {
      await type(tab, 'ada', 'right');
      await tab.waitForURL(isInside);
    },
    async 'mail-or-password'(tab) {
      await type(tab, 'ada@example.com');
      await tab.getByRole('heading', { name: 'Enter your password' }).waitFor();
      await type(tab, 'wrong');
      await tab.getByText('These details are not correct.').waitFor();
      await type(tab, 'right');
      await tab.waitForURL(isInside);
    },
    async fields(tab) {
      await tab.keyboard.press('Tab');
      await type(tab, '7');
      await tab.waitForURL(isInside);
    },
    async passkey(tab) {
      await createPasskey(tab);
      await press(tab, 'Sign in with a passkey');
      await tab.waitForURL(isInside);
    },
    async key(tab) {
      await createPasskey(tab);
      await type(tab, 'ada@example.com');
      await tab.getByRole('heading', { name: 'Use a security key' }).waitFor();
      await press(tab, 'Use a security key');
      await tab.waitForURL(isInside);
    },
  };

  /** Creates an account, and comes back to the sign-in page signed out. */
  async function createPasskey(tab: Tab): Promise<void> {
    const page = tab.url();
    await addAuthenticator(tab);
    await press(tab, 'Create an account');
    await tab.getByRole('heading', { name: 'Create an account' }).waitFor();
    await tab.keyboard.press('Tab');
    await type(tab, 'ada@example.com');
    await tab.waitForURL(isInside);
    await tab.context().clearCookies();
    await tab.goto(page);
    await tab.locator('button:enabled').first().waitFor();
  }

  it.each(Object.entries(layouts))('%s: signs in with the keyboard alone', async (layout, { keys }) => {
    const { tab } = await open(layout);
    await signIn[keys](tab);
    await tab.context().close();
  });
});

/** One line per box, so that changes can be read. */
function toJson(found: Record<string, Boxes>): string {
  const lists = Object.entries(found).map(([name, boxes]) => {
    const lines = Object.entries(boxes).map(([element, box]) => `    ${JSON.stringify(element)}: [${box.join(', ')}]`);
    return `  ${JSON.stringify(name)}: {\n${lines.join(',\n')}\n  }`;
  });
  return `{\n${lists.join(',\n')}\n}\n`;
}

/** Returns the elements that are missing, new, or somewhere else. */
function differences(found: Boxes, expected: Boxes): string[] {
  const names = new Set([...Object.keys(found), ...Object.keys(expected)]);
  return [...names].filter((name) => {
    const [box, other] = [found[name], expected[name]];
    return !box || !other || box.some((value, index) => Math.abs(value - (other[index] ?? 0)) > TOLERANCE);
  });
}

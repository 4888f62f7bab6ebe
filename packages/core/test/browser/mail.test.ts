import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Mail } from '@latchkey/testing/mailbox';
import { type Browser, type BrowserContextOptions, devices, type Page as Tab } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isWithoutChromium, launchChromium } from '../../../../test/chromium.ts';
import { codeIn, linkIn, type MailSite, otherCode, startMailSite } from './mail-site.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const violations =
  'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))';

/** Both kinds of browser are used, although the pages have no scripts. */
const desktop: BrowserContextOptions = { ...devices['Desktop Chrome'], javaScriptEnabled: false };
const phone: BrowserContextOptions = { ...devices['iPhone 15'] };

describe.skipIf(isWithoutChromium)('signing in by mail in Chromium', () => {
  let browser: Browser;
  let site: MailSite;

  beforeAll(async () => {
    [browser, site] = await Promise.all([launchChromium(), startMailSite()]);
  });
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  /** Opens a tab in a new browser profile. */
  async function open(device: BrowserContextOptions): Promise<Tab> {
    const tab = await (await browser.newContext(device)).newPage();
    tab.setDefaultTimeout(60_000);
    return tab;
  }

  /** Requests a mail from the sign-in page, and waits until it arrives. */
  async function ask(tab: Tab, address: string): Promise<Mail> {
    await tab.goto(`${site.origin}/auth/signin?callbackUrl=/inside`);
    await tab.getByLabel('Email').fill(address);
    await tab.getByRole('button', { name: 'Continue' }).click();
    await tab.waitForURL(/verify-request/);
    return received(address);
  }

  const received = (address: string): Promise<Mail> => site.mailbox.waitFor(address, 60_000);

  async function type(tab: Tab, code: string): Promise<void> {
    await tab.getByLabel('Code from the email').fill(code);
    await press(tab, 'Sign in');
  }

  const press = (tab: Tab, name: string) => tab.getByRole('button', { name }).click();
  const words = (tab: Tab) => tab.locator('main').innerText();
  const heading = (tab: Tab) => tab.locator('h1').innerText();
  const alert = (tab: Tab) => tab.getByRole('alert').innerText();
  const isInside = (tab: Tab) => tab.waitForURL(`${site.origin}/inside`);

  /** The address of the signed-in user; `undefined` if the visitor is not signed in. */
  async function who(tab: Tab): Promise<string | undefined> {
    const answer = await tab.request.get(`${site.origin}/auth/session`);
    return (await answer.json())?.user.email;
  }

  it('a link signs in the browser that asked, at once', async () => {
    const desk = await open(desktop);
    const mail = await ask(desk, 'here@example.com');
    expect(await words(desk)).toContain('A link and a code were sent to here@example.com.');
    await desk.goto(linkIn(mail));
    await isInside(desk);
    expect(await who(desk)).toBe('here@example.com');
  });

  it('a link shows a page in another browser, whose button signs in there only', async () => {
    const [desk, there] = [await open(desktop), await open(phone)];
    const mail = await ask(desk, 'there@example.com');
    site.clock.advance(120);
    await there.goto(linkIn(mail));
    const shown = await words(there);
    expect(shown).toContain('One more click, and you are signed in as there@example.com.');
    expect(shown).toContain('Requested 2\u00A0minutes\u00A0ago (Chrome on Windows).');
    expect(shown).toContain('To sign in on another device, type the code from the email there.');
    expect(await who(there)).toBeUndefined();
    await press(there, 'Sign in');
    await isInside(there);
    expect([await who(there), await who(desk)]).toEqual(['there@example.com', undefined]);

    // The code was spent with the link. The page at the desk says so, and a new mail helps.
    await type(desk, codeIn(mail));
    expect(await alert(desk)).toContain('The code is no longer valid.');
    await press(desk, 'Send again');
    await type(desk, codeIn(await received('there@example.com')));
    await isInside(desk);
    expect(await who(desk)).toBe('there@example.com');
  });

  it('a code that was read on another device signs in the browser that asked', async () => {
    const [desk, there] = [await open(desktop), await open(phone)];
    const mail = await ask(desk, 'code@example.com');
    await there.goto(linkIn(mail));
    await type(desk, otherCode(mail));
    expect(await alert(desk)).toBe(
      'This is not the code in the newest email to code@example.com. Check it, and try again.',
    );
    await type(desk, codeIn(mail));
    await isInside(desk);
    expect(await who(desk)).toBe('code@example.com');

    await press(there, 'Sign in');
    expect(await words(there)).toContain('Request a new link to sign in.');
    expect(await who(there)).toBeUndefined();
    await there.getByRole('link', { name: 'Send a new link' }).click();
    expect(await there.getByLabel('Email').isVisible()).toBe(true);
  });

  it('a mail can be sent again after a minute, with the same link and code', async () => {
    const [desk, there] = [await open(desktop), await open(phone)];
    const first = await ask(desk, 'again@example.com');
    expect(await words(desk)).toMatch(/The email can be sent again in\s60\sseconds\./);
    await press(desk, 'Send again');
    expect(await words(desk)).toContain('were sent to again@example.com.');
    expect(site.mailbox.messages.filter(({ to }) => to.includes('again@example.com'))).toHaveLength(1);
    site.clock.advance(61);
    await press(desk, 'Send again');
    const second = await received('again@example.com');
    expect(codeIn(second)).toBe(codeIn(first));
    await there.goto(linkIn(first));
    await press(there, 'Sign in');
    await isInside(there);
    await desk.goto(linkIn(second));
    expect(await words(desk)).toContain('Request a new link to sign in.');
    expect(await who(desk)).toBeUndefined();
  });

  it('another address can be used instead', async () => {
    const desk = await open(desktop);
    const first = await ask(desk, 'mistyped@example.com');
    await desk.getByRole('link', { name: 'Use another address' }).click();
    await desk.getByLabel('Email').fill('other@example.com');
    await press(desk, 'Continue');
    const second = await received('other@example.com');
    await type(desk, codeIn(first));
    expect(await alert(desk)).toContain('the newest email to other@example.com.');
    await type(desk, codeIn(second));
    await isInside(desk);
    expect(await who(desk)).toBe('other@example.com');
  });

  it('the back button keeps the session, and shows no form for the spent code or link', async () => {
    const [desk, there] = [await open(desktop), await open(phone)];
    await type(desk, codeIn(await ask(desk, 'back@example.com')));
    await isInside(desk);
    await desk.goBack();
    expect(await heading(desk)).toBe('Request a new email');
    expect(await desk.locator('form').count()).toBe(0);
    expect(await who(desk)).toBe('back@example.com');

    await there.goto(linkIn(await ask(await open(desktop), 'back@example.com')));
    await press(there, 'Sign in');
    await isInside(there);
    await there.goBack();
    await press(there, 'Sign in');
    expect(await words(there)).toContain('Request a new link to sign in.');
    expect(await who(there)).toBe('back@example.com');
  });

  it('a link for another user names both, and replaces the session only after a click', async () => {
    const [desk, there] = [await open(desktop), await open(phone)];
    await desk.goto(linkIn(await ask(desk, 'owner@example.com')));
    await isInside(desk);
    await desk.goto(linkIn(await ask(there, 'attacker@example.com')));
    const shown = await words(desk);
    expect(shown).toContain('you are signed in as attacker@example.com.');
    expect(shown).toContain('You are signed in as owner@example.com. That session ends.');
    expect(shown).toContain('on iOS)');
    expect(await who(desk)).toBe('owner@example.com');
    await press(desk, 'Sign in');
    await isInside(desk);
    expect(await who(desk)).toBe('attacker@example.com');
  });

  it('an expired mail leads to a new one', async () => {
    const [desk, there] = [await open(desktop), await open(phone)];
    const mail = await ask(desk, 'late@example.com');
    await there.goto(linkIn(mail));
    site.clock.advance(901);
    await press(there, 'Sign in');
    expect(await words(there)).toContain('Request a new link to sign in.');
    await type(desk, codeIn(mail));
    expect(await alert(desk)).toContain('This browser does not wait for a code any more.');
    await desk.getByRole('link', { name: 'Sign in' }).click();
    await desk.getByLabel('Email').fill('late@example.com');
    await press(desk, 'Continue');
    await type(desk, codeIn(await received('late@example.com')));
    await isInside(desk);
  });

  it('five wrong codes spend the mail, and lead to a new one', async () => {
    const [desk, there] = [await open(desktop), await open(phone)];
    const mail = await ask(desk, 'guess@example.com');
    for (let attempt = 1; attempt <= 5; attempt++) await type(desk, otherCode(mail));
    expect([await heading(desk), await alert(desk)]).toEqual([
      'Request a new email',
      'The code is no longer valid. It was mistyped too often, or the email has been used. Request a new email to guess@example.com.',
    ]);
    expect(await desk.getByLabel('Code from the email').count()).toBe(0);
    await there.goto(linkIn(mail));
    await press(there, 'Sign in');
    expect(await words(there)).toContain('Request a new link to sign in.');
    await press(desk, 'Send again');
    await type(desk, codeIn(await received('guess@example.com')));
    await isInside(desk);
  });

  it('too many mails to one address are refused, with words', async () => {
    const desk = await open(desktop);
    await ask(desk, 'many@example.com');
    for (let mails = 2; mails <= 6; mails++) {
      site.clock.advance(61);
      await press(desk, 'Send again');
      if (mails <= 5) await received('many@example.com');
    }
    expect(await alert(desk)).toMatch(/^Too many attempts\. Try again in\s\d+\sminutes\.$/);
    expect(await desk.getByLabel('Email').isVisible()).toBe(true);
  });

  it.each([
    ['light', 320],
    ['dark', 1280],
  ] as const)('the pages pass all rules of axe, in %s at a width of %i', async (colorScheme, width) => {
    const look = { colorScheme, viewport: { width, height: 760 }, bypassCSP: true };
    const [desk, there] = [await open(look), await open({ ...phone, ...look })];
    const expectReadable = async (tab: Tab): Promise<void> => {
      await tab.evaluate(axe);
      expect(await tab.evaluate(violations)).toEqual([]);
      expect(await tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    };
    const mail = await ask(desk, `someone.with-quite-a-long-name.${width}@mail.example.com`);
    await expectReadable(desk);
    await there.goto(linkIn(mail));
    await expectReadable(there);
    for (let attempt = 1; attempt <= 5; attempt++) {
      await type(desk, otherCode(mail));
      if (attempt === 1) await expectReadable(desk);
    }
    await expectReadable(desk);
    await press(there, 'Sign in');
    await expectReadable(there);
  });

  describe('a scanner', () => {
    const dump = () => site.adapter.dump();
    /** The names of a profile's cookies that could sign in. */
    const cookies = async (tab: Tab) =>
      (await tab.context().cookies()).map(({ name }) => name).filter((name) => /session|mail/.test(name));

    it('does not use up a link by HEAD, or by GET without cookies', async () => {
      const desk = await open(desktop);
      const link = linkIn(await ask(desk, 'gateway@example.com'));
      const before = dump();
      const head = await fetch(link, { method: 'HEAD', redirect: 'manual' });
      expect(head.status).toBe(400);
      for (let request = 1; request <= 5; request++) {
        const page = await fetch(link, { redirect: 'manual' });
        expect(page.status).toBe(200);
        const set = page.headers.getSetCookie().map((cookie) => cookie.slice(0, cookie.indexOf('=')));
        expect(set).toEqual(['authjs.csrf-token', 'authjs.callback-url']);
      }
      expect(dump()).toEqual(before);
      await desk.goto(link);
      await isInside(desk);
    });

    it('does not use up a link if it runs scripts and does not click', async () => {
      const [desk, scanner] = [await open(desktop), await open(phone)];
      const link = linkIn(await ask(desk, 'sandbox@example.com'));
      const before = dump();
      await scanner.goto(link, { waitUntil: 'networkidle' });
      expect(await heading(scanner)).toBe('Almost there');
      expect([dump(), await cookies(scanner)]).toEqual([before, []]);
      await desk.goto(link);
      await isInside(desk);
    });

    it('does not use up a link by an image, a prefetch or a prerender, even in the browser that asked', async () => {
      const desk = await open({ ...desktop, javaScriptEnabled: true });
      const link = linkIn(await ask(desk, 'ahead@example.com'));
      const before = dump();
      const href = link.replaceAll('&', '&amp;');
      const rules = (kind: string) =>
        `<script type="speculationrules">${JSON.stringify({ [kind]: [{ urls: [link], eagerness: 'immediate' }] })}</script>`;
      const ways = [
        [`<img src="${href}" alt="">`, { 'sec-fetch-dest': 'image' }],
        [`<link rel="prefetch" href="${href}">`, { 'sec-fetch-dest': 'empty', 'sec-purpose': 'prefetch' }],
        [rules('prefetch'), { 'sec-fetch-mode': 'navigate', 'sec-purpose': 'prefetch' }],
        [rules('prerender'), { 'sec-fetch-mode': 'navigate', 'sec-purpose': 'prefetch;prerender' }],
      ] as const;
      for (const [html, headers] of ways) {
        const { length } = site.opened;
        site.reader = `<title>Mail</title>${html}<a href="${href}">Sign in</a>`;
        await desk.goto(`${site.origin}/reader`);
        await expect.poll(() => site.opened.slice(length)).toEqual([expect.objectContaining(headers)]);
        expect(site.opened.at(-1)?.cookie).toContain('authjs.mail=');
      }
      expect([dump(), await cookies(desk)]).toEqual([before, ['authjs.mail']]);
      // Chromium shows the page that it has loaded ahead, unless it was short of memory. Its button works.
      await desk.getByRole('link', { name: 'Sign in' }).click();
      await desk.waitForURL(/\/auth\/callback\/|\/inside/);
      if (desk.url() !== `${site.origin}/inside`) await press(desk, 'Sign in');
      await isInside(desk);
      expect(await who(desk)).toBe('ahead@example.com');
    });
  });
});

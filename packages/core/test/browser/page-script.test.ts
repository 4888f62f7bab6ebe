import type { Browser, Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWithoutChromium, launchChromium } from '../../../../test/chromium.ts';
import english from '../../src/messages/en.ts';
import { renderDocument } from '../../src/views/document.ts';
import { html } from '../../src/views/html.ts';
import { pageScript } from '../../src/views/page-script.ts';
import { verifyRequestPage } from '../../src/views/verify-request.ts';
import { pageReply } from '../../src/wire/page.ts';

const origin = 'http://localhost';
const scripts = [`${origin}/auth/asset/page.js?v=1`];
const common = { theme: {}, language: english, scripts };

const password = renderDocument({
  ...{ title: 'Sign in', theme: {}, kind: 'signin', scripts },
  content: html`<h1>Sign in</h1><form action="/auth/posted" method="POST">
<div class="field"><label for="p">Password</label><input id="p" name="password" type="password" data-show="Show password" data-hide="Hide password"></div>
<button class="button" name="way" value="1">Sign in</button></form>`,
});

const waiting = (secondsToWait: number) =>
  verifyRequestPage({
    ...{ ...common, origin, signInUrl: '/auth/signin' },
    mail: { address: 'ada@example.com', codeUrl: '/auth/code', resendUrl: '/auth/signin/mail', secondsToWait },
  });

describe.skipIf(isWithoutChromium)('the script of the pages', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });

  afterAll(() => browser?.close());

  /** Serves a page with its policy, and the script. A posted form is answered with this status; 204 keeps the page. */
  async function open(page: typeof password, status = 200) {
    const tab = await browser.newPage();
    const complaints: string[] = [];
    const bodies: (string | null)[] = [];
    tab.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    const { headers, body } = await pageReply(page);
    await tab.route('**/*', async (route) => {
      const request = route.request();
      const { pathname } = new URL(request.url());
      if (pathname === '/auth/asset/page.js')
        return route.fulfill({ body: pageScript, contentType: 'text/javascript' });
      if (request.method() === 'GET')
        return route.fulfill({ body: String(body), headers: headers as Record<string, string> });
      bodies.push(request.postData());
      return route.fulfill({ status, body: status === 204 ? '' : 'posted', contentType: 'text/html' });
    });
    await tab.goto(`${origin}/auth/page`);
    return { tab, complaints, bodies };
  }

  const stateOf = (tab: Tab, text: string) =>
    tab
      .getByRole('button', { name: text })
      .evaluate((button) => [(button as unknown as { disabled: boolean }).disabled, button.getAttribute('aria-busy')]);

  it('disables the pressed button, whose value is sent, until the page is shown again', async () => {
    const { tab, bodies, complaints } = await open(password, 204);
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(() => stateOf(tab, 'Sign in')).toEqual([true, 'true']);
    await tab.evaluate('dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))');
    expect(await stateOf(tab, 'Sign in')).toEqual([false, null]);
    expect(bodies).toEqual(['password=&way=1']);
    expect(complaints).toEqual([]);
    await tab.close();
  });

  it('shows and hides a password, and posts it from a field of type password', async () => {
    const { tab, bodies, complaints } = await open(password);
    const type = () => tab.getByLabel('Password', { exact: true }).getAttribute('type');
    await tab.getByLabel('Password', { exact: true }).fill('secret');
    await tab.getByRole('button', { name: 'Show password' }).click();
    expect(await type()).toBe('text');
    await tab.getByRole('button', { name: 'Hide password' }).click();
    expect(await type()).toBe('password');
    await tab.getByRole('button', { name: 'Show password' }).click();
    await tab.evaluate(
      'addEventListener("submit", () => sessionStorage.setItem("type", document.querySelector("#p").type))',
    );
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await tab.getByText('posted').waitFor();
    expect(await tab.evaluate('sessionStorage.getItem("type")')).toBe('password');
    expect(bodies).toEqual(['password=secret&way=1']);
    expect(complaints).toEqual([]);
    await tab.close();
  });

  it('counts down, and then enables the button', async () => {
    const { tab, complaints } = await open(waiting(2));
    expect(await stateOf(tab, 'Send again')).toEqual([true, null]);
    expect(await tab.locator('[data-seconds]').textContent()).toMatch(/^in [12] seconds?$/);
    await expect.poll(() => stateOf(tab, 'Send again'), { timeout: 5000 }).toEqual([false, null]);
    expect(await tab.locator('[data-seconds]').isVisible()).toBe(false);
    expect(complaints).toEqual([]);
    await tab.close();
  });

  it('is needed by no form: without it, the button works', async () => {
    const { tab } = await open({ ...waiting(42), html: waiting(42).html.replace(/<script.*script>/, '') });
    expect(await stateOf(tab, 'Send again')).toEqual([false, null]);
    expect(await tab.locator('[data-seconds]').textContent()).toBe('in\u00A042\u00A0seconds');
    await tab.close();
  });
});

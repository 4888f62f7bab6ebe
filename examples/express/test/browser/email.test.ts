import express from 'express';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { listen } from '../../../shared/port.ts';
import { demoInBrowser } from '../../../shared/test/demo-in-browser.ts';
import { codeIn, requestMail } from '../../../shared/test/sign-in.ts';
import {
  expectReadable,
  heading,
  isWithoutBrowser,
  looks,
  openPage,
  session,
  shoot,
  signOut,
} from '../../../shared/test/visit.ts';
import { inbox } from '../../inbox.ts';
import { freePort } from '../demo.ts';

describe.skipIf(isWithoutBrowser)('signing in by email', () => {
  const app = demoInBrowser('express');

  async function askForMail(page: Page, address: string): Promise<void> {
    await page.goto(`${app.origin}/auth/signin?callbackUrl=/private`);
    await requestMail(page, address);
  }

  const buttonInMail = (page: Page) =>
    page.frameLocator('.mail[open] iframe').getByRole('link', { name: 'Sign in', exact: true });

  it.each([
    ['with JavaScript', true],
    ['without JavaScript', false],
  ])('goes through the inbox, by link and by code, %s', async (title, javaScriptEnabled) => {
    const address = `nina+${javaScriptEnabled}@example.com`;
    const page = await app.open('/', { javaScriptEnabled });
    await askForMail(page, address);
    expect(await heading(page)).toBe('Check your inbox');
    await shoot(page, `mail sent ${title}`);
    await page.goto(app.origin);
    await page.getByRole('link', { name: 'Inbox', exact: true }).click();

    expect(await heading(page)).toBe('Inbox');
    const newest = page.locator('.mail').first();
    expect(await newest.locator('summary').first().innerText()).toContain(address);
    expect(await newest.locator('h2').innerText()).toBe('Sign in to Latchkey demo');
    await buttonInMail(page).waitFor();
    await shoot(page, `inbox ${title}`);
    await buttonInMail(page).click();
    await page.waitForURL(`${app.origin}/private`);
    await page.goto(app.origin);
    expect((await session(page)).user).toMatchObject({ email: address });
    await signOut(page);

    await askForMail(page, address);
    const reader = await page.context().newPage();
    await reader.goto(`${app.origin}/inbox`);
    const code = codeIn(await reader.frameLocator('.mail[open] iframe').locator('body').innerText());
    await page.getByLabel('Code from the email').fill(code);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${app.origin}/private`);
    await page.goto(app.origin);
    expect((await session(page)).user).toMatchObject({ email: address });
    await signOut(page);
    expect(await heading(page)).toBe('You are not signed in');
  });

  it('accepts the link of the text part, in another browser, and only once', async () => {
    const page = await app.open();
    await askForMail(page, 'olga@example.com');
    const phone = await app.open('/inbox');
    const mail = phone.locator('.mail').first();
    await mail.getByText('The same as plain text').click();
    const link = String(await mail.locator('.text a').getAttribute('href'));
    for (const isFirst of [true, false]) {
      await phone.goto(link);
      await phone.getByRole('button', { name: 'Sign in' }).click();
      await phone.waitForURL(isFirst ? `${app.origin}/private` : /auth\/error/);
    }
    // The browser reports the refusal on its console.
    expect(app.complaints.splice(0)).toEqual([expect.stringContaining('403')]);
  });

  it('shows the newest mail first, and the others folded', async () => {
    const page = await app.open();
    for (const name of ['first', 'second']) await askForMail(page, `${name}@example.com`);
    await page.goto(`${app.origin}/inbox`);
    const [newest, before] = [page.locator('.mail').nth(0), page.locator('.mail').nth(1)];
    expect(await newest.locator('summary').first().innerText()).toContain('second@example.com');
    expect(await before.locator('summary').first().innerText()).toContain('first@example.com');
    expect([await newest.locator('iframe').isVisible(), await before.locator('iframe').isVisible()]).toEqual([
      true,
      false,
    ]);
  });

  it('keeps a hostile mail from running scripts, loading resources and sending forms', async () => {
    const hostile = `<script>parent.document.title = document.title = 'owned'</script><img src="/stolen" onerror="top.location = '/stolen'">
<form action="/stolen"><input name="typed" autofocus><button>Send</button></form><iframe src="/stolen"></iframe>
<meta http-equiv="refresh" content="0;url=/stolen"><base href="https://stolen.test/"><a href="/inbox?followed">a link</a>`;
    const mail = { to: ['ada@example.com'], subject: 'hostile', text: '', html: hostile, date: new Date() };
    const asked: string[] = [];
    const site = express().use((request, _response, next) => {
      asked.push(request.originalUrl);
      next();
    });
    const server = await listen(site.use('/inbox', inbox([mail])), await freePort());
    try {
      const { port } = server.address() as { port: number };
      const page = await openPage(app.browser, 'about:blank', []);
      await page.goto(`http://localhost:${port}/inbox`);
      const frame = page.frameLocator('iframe');
      await frame.getByRole('button', { name: 'Send' }).click();
      expect(await page.title()).toBe('Inbox · Latchkey demo');
      await frame.getByRole('link', { name: 'a link' }).click();
      await page.waitForURL(/followed/);
      await frame.getByRole('link', { name: 'a link' }).waitFor();
      expect(asked.filter((path) => path !== '/favicon.ico')).toEqual([
        '/inbox',
        '/inbox/1',
        '/inbox?followed',
        '/inbox/1',
      ]);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it.each(looks)('has an empty inbox that can be read in %s at a width of %i', async (colorScheme, width) => {
    const options: BrowserContextOptions = { colorScheme, viewport: { width, height: 760 }, bypassCSP: true };
    const server = await listen(express().use('/inbox', inbox([])), await freePort());
    try {
      const { port } = server.address() as { port: number };
      const page = await openPage(app.browser, `http://localhost:${port}/inbox`, [], options);
      expect(await page.locator('main').innerText()).toContain('No mail yet');
      await shoot(page, `inbox empty ${colorScheme} ${width}`);
      await expectReadable(page);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it.each(looks)('has an inbox that can be read in %s at a width of %i', async (colorScheme, width) => {
    const options: BrowserContextOptions = { colorScheme, viewport: { width, height: 760 }, bypassCSP: true };
    const page = await app.open('/', options);
    for (const name of ['ada', 'someone.with-quite-a-long-name']) await askForMail(page, `${name}@example.com`);
    await page.goto(`${app.origin}/inbox`);
    await buttonInMail(page).waitFor();
    await shoot(page, `inbox ${colorScheme} ${width}`);
    await page.locator('.mail').first().getByText('The same as plain text').click();
    await shoot(page, `inbox text ${colorScheme} ${width}`);
    await expectReadable(page);
  });
});

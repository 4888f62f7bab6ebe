import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { encode } from '@latchkey/core/jwt';
import { BINDING_SECRET, type BindingSetup } from '@latchkey/testing/binding-application';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isWithoutChromium, launchChromium } from '../../../../test/chromium.ts';
import { addAuthenticator } from '../../../core/test/browser/authenticator.ts';
import type { Served } from '../build.ts';
import { contractStart } from '../contract-start.ts';

const NAME = 'authjs.session-token';
const folder = join(import.meta.dirname, '../contract');
const start = contractStart(folder) as (setup: BindingSetup) => Promise<Served>;
const cookieOf = async (name: string) =>
  `${NAME}=${await encode({ token: { name, sub: '1' }, secret: BINDING_SECRET, salt: NAME })}`;

let ada: string;
let site: Served;
beforeAll(async () => {
  ada = await cookieOf('Ada');
  // The session is due with each read.
  site = await start({ updateAge: 0 });
});
afterAll(() => site?.stop());

/** Opens a page as a browser does. `fetch` of Node cannot set `Sec-Fetch-Mode`. */
async function open(path: string, cookie = '', { origin } = site) {
  const headers = { cookie, accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' };
  const [response] = await once(request(origin + path, { headers }).end(), 'response');
  const body = await text(response);
  return { status: response.statusCode, headers: response.headers, body, heading: /<h1>(.*?)<\/h1>/.exec(body)?.[1] };
}

describe('pages that the server renders', () => {
  it('have the session, which is renewed on the response', async () => {
    const page = await open('/status', ada);
    expect([page.heading, page.headers['cache-control']]).toEqual(['authenticated: Ada', 'private, no-store']);
    expect(page.headers['set-cookie']).toEqual([expect.stringContaining(NAME)]);
    expect((await open('/awaited', ada)).heading).toBe('Ada');
    expect((await open('/awaited')).heading).toBe('nobody');
  });

  it('do not contain the session unless a component asks for it', async () => {
    const page = await open('/', ada);
    expect([page.body.includes('Ada'), page.headers['set-cookie']]).toEqual([false, undefined]);
  });

  it('keep interleaved visitors apart', async () => {
    const names = Array.from({ length: 40 }, (_, index) => (index % 2 ? 'Ada' : 'Grace'));
    const cookies = { Ada: ada, Grace: await cookieOf('Grace') };
    const headings = names.map(async (name) => (await open('/status', cookies[name as 'Ada'])).heading);
    expect(await Promise.all(headings)).toEqual(names.map((name) => `authenticated: ${name}`));
  });

  it.each(['/swr/open', '/isr/open', '/prerendered'])('have no session if they are stored: %s', async (path) => {
    for (const cookie of [ada, ada, '']) {
      const page = await open(path, cookie);
      expect([page.status, page.heading, page.body.includes('Ada')]).toEqual([200, 'loading: ', false]);
      expect(page.headers['set-cookie']).toBeUndefined();
    }
  });

  it('are the same for all visitors if they are guarded and stored', async () => {
    expect((await open('/swr/guarded', ada)).heading).toBe('Stored page: loading');
    expect((await open('/swr/guarded')).heading).toBe('Stored page: loading');
  });

  it('get data of a guarded API by `useFetch`, which passes the cookies on, and not by `$fetch`', async () => {
    const page = await open('/fetched', ada);
    expect(page.body).toContain('<p>useFetch: Ada</p><p>$fetch: nobody</p>');
  });

  it('get the error 401 of a guarded API, and not its redirect', async () => {
    expect((await open('/fetched')).body).toContain('<p>useFetch: 401</p>');
  });

  it('hide the problems of the configuration', async () => {
    const broken = await start({ problem: true });
    const pages = [await open('/guarded', ada, broken), await open('/status', ada, broken)];
    await broken.stop();
    for (const { status, body } of pages) {
      expect(status).toBe(500);
      expect(body).not.toMatch(/AUTH_SECRET|configuration/);
    }
    expect(broken.log()).toContain('AUTH_SECRET');
  });
});

describe('API routes', () => {
  const get = async (path: string, cookie = '') => fetch(site.origin + path, { headers: { cookie } });

  it('are guarded by a middleware of the application, and renew the session there', async () => {
    expect((await get('/api/private/orders')).status).toBe(401);
    const answer = await get('/api/private/orders', ada);
    expect([answer.status, await answer.json()]).toEqual([200, ['order 1']]);
    expect(answer.headers.getSetCookie()).toEqual([expect.stringContaining(NAME)]);
  });

  it('have no session if they are stored', async () => {
    expect(await (await get('/api/stored', ada)).json()).toEqual({ user: null });
    expect(await (await get('/api/stored')).json()).toEqual({ user: null });
  });

  it('send a browser that opens them to the sign-in page', async () => {
    const { status, headers } = await open('/api/guarded');
    expect([status, headers.location]).toEqual([302, '/auth/signin?callbackUrl=%2Fapi%2Fguarded']);
  });

  it('leave the rules of routes in force for the actions', async () => {
    expect((await get('/auth/csrf')).headers.get('x-rule')).toBe('contract');
  });
});

describe.skipIf(isWithoutChromium)('the browser', () => {
  let stored: Served;
  let origin: string;
  let browser: Browser;
  let profile: BrowserContext;
  beforeAll(async () => {
    stored = await start({ session: 'database' });
    // Passkeys need a name, and no address.
    origin = stored.origin.replace('127.0.0.1', 'localhost');
    browser = await launchChromium();
  });
  beforeEach(async () => {
    profile = await browser.newContext();
  });
  afterEach(() => profile?.close());
  afterAll(async () => {
    await browser?.close();
    await stored?.stop();
  });

  async function openPage(): Promise<Page> {
    const page = await profile.newPage();
    await page.goto(`${origin}/status`);
    await page.waitForFunction('globalThis.latchkey');
    await page.evaluate('document.isFirst = true');
    return page;
  }
  const shows = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
  const signIn = (page: Page) =>
    page.evaluate(`latchkey.signIn('credentials', { name: 'Ada', password: 'password', redirect: false })`);
  const isFirst = (page: Page) => page.evaluate('document.isFirst === true');
  const follow = (page: Page, name: string) => page.getByRole('link', { name }).click();

  it('updates the session without leaving the page', async () => {
    const page = await openPage();
    await signIn(page);
    expect(await page.evaluate(`latchkey.update({ name: 'Grace' })`)).toMatchObject({ user: { name: 'Ada' } });
    await shows(page, 'authenticated: Ada');
    expect(await isFirst(page)).toBe(true);
  });

  it('opens a guarded page for a visitor with a session, and leaves it after a sign-out in another tab', async () => {
    const [page, other] = [await openPage(), await openPage()];
    await signIn(page);
    await follow(page, 'guarded');
    await shows(page, 'Guarded page of Ada');
    expect(await isFirst(page)).toBe(true);
    await other.evaluate('latchkey.signOut({ redirect: false })');
    await page.waitForURL(`${origin}/auth/signin?callbackUrl=%2Fguarded`);
  });

  it('goes where a sign-out on a guarded page leads, and not to the sign-in page', async () => {
    const page = await openPage();
    await signIn(page);
    await follow(page, 'guarded');
    await shows(page, 'Guarded page of Ada');
    await page.evaluate(`void latchkey.signOut({ redirectTo: '/awaited' })`);
    await shows(page, 'nobody');
    expect(page.url()).toBe(`${origin}/awaited`);
  });

  it.each(['/swr/open', '/prerendered', '/browser-only'])('asks for the session after hydration: %s', async (path) => {
    const page = await openPage();
    await page.goto(origin + path);
    await shows(page, 'unauthenticated:');
    await page.goto(`${origin}/status`);
    await page.waitForFunction('globalThis.latchkey');
    await signIn(page);
    await page.goto(origin + path);
    await shows(page, 'authenticated: Ada');
  });

  it('leaves a page that is guarded and stored, without a session', async () => {
    const page = await profile.newPage();
    await page.goto(`${origin}/swr/guarded`);
    await page.waitForURL(`${origin}/auth/signin?callbackUrl=%2Fswr%2Fguarded`);
  });

  it('makes a passkey, and signs in with it', async () => {
    const page = await openPage();
    await addAuthenticator(page);
    const options = `{ action: 'register', email: 'grace@example.com', redirect: false }`;
    expect(await page.evaluate(`latchkey.usePasskey('passkey', ${options})`)).toMatchObject({ ok: true });
    await page.getByRole('heading', { name: /^authenticated/ }).waitFor();
    await page.evaluate('latchkey.signOut({ redirect: false })');
    await shows(page, 'unauthenticated:');
    expect(await page.evaluate(`latchkey.usePasskey('passkey', { redirect: false })`)).toMatchObject({ ok: true });
    await page.getByRole('heading', { name: /^authenticated/ }).waitFor();
  });
});

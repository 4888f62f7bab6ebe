import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, dataFolder, freePort, startDemo } from '../demo.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const shots = fileURLToPath(new URL('../../screenshots/', import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const violations =
  'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))';

// Without Chromium these are skipped on a developer's machine, and fail where all tests must run.
describe.skipIf(!existsSync(executablePath) && process.env['CI'] !== 'true')('the demo in a browser', () => {
  const data = dataFolder();
  let browser: Browser;
  let demo: Demo;
  let port: number;
  /** What the consoles of the pages said; a blocked style or picture would be here. */
  const complaints: string[] = [];

  beforeAll(async () => {
    port = await freePort();
    demo = await startDemo(port, data.path);
    browser = await chromium.launch({
      executablePath,
      chromiumSandbox: false,
      args: [
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    });
  });
  afterEach(() => expect(complaints.splice(0)).toEqual([]));
  afterAll(async () => {
    await browser?.close();
    await demo?.stop();
    data.remove();
  });

  /** The start page in a fresh browser profile. */
  async function open(path = '/', options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1000, height: 760 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(demo.origin + path);
    return page;
  }

  const heading = (page: Page) => page.locator('h1').innerText();
  const session = async (page: Page) => JSON.parse(await page.locator('pre').innerText());
  const shoot = (page: Page, name: string) => page.screenshot({ path: `${shots}${name}.png`, fullPage: true });

  async function signInAtProvider(page: Page, login: string, password = 'password'): Promise<void> {
    await page.getByRole('button', { name: 'Demo Provider' }).click();
    await page.waitForURL((url) => url.origin !== demo.origin);
    await page.getByLabel('Login').fill(login);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  async function signOut(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${demo.origin}/`);
  }

  it.each([
    ['with JavaScript', true],
    ['without JavaScript', false],
  ])('signs in at the provider, shows the session, and signs out, %s', async (title, javaScriptEnabled) => {
    const page = await open('/', { javaScriptEnabled });
    expect(await heading(page)).toBe('Nobody is signed in');
    await shoot(page, `start ${title}`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await shoot(page, `sign-in ${title}`);
    await signInAtProvider(page, 'ada');
    await page.waitForURL(`${demo.origin}/`);

    expect(await heading(page)).toBe('Ada Lovelace');
    const { user, expires } = await session(page);
    expect(user).toMatchObject({ name: 'Ada Lovelace', email: 'ada@example.com' });
    expect(Date.parse(expires)).toBeGreaterThan(Date.now());
    await page.waitForLoadState('networkidle');
    await shoot(page, `signed in ${title}`);
    await page.reload();
    expect(await heading(page)).toBe('Ada Lovelace');
    await page.getByRole('link', { name: 'Private page' }).click();
    expect(await heading(page)).toBe('The private page');
    await shoot(page, `private ${title}`);

    await signOut(page);
    expect(await heading(page)).toBe('Nobody is signed in');
    await page.goto(`${demo.origin}/private`);
    expect(new URL(page.url()).pathname).toBe('/auth/signin');
  });

  it('lets another user sign in afterwards', async () => {
    const page = await open('/auth/signin?callbackUrl=/');
    for (const [login, name] of [
      ['ada', 'Ada Lovelace'],
      ['grace', 'Grace Hopper'],
    ] as const) {
      await signInAtProvider(page, login);
      await page.waitForURL(`${demo.origin}/`);
      expect(await heading(page)).toBe(name);
      await signOut(page);
      await page.getByRole('link', { name: 'Sign in' }).click();
    }
  });

  it('shows the picture that the provider serves', async () => {
    const page = await open('/auth/signin?callbackUrl=/');
    await signInAtProvider(page, 'grace');
    await page.waitForURL(`${demo.origin}/`);
    await page.waitForLoadState('networkidle');
    expect(await page.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  });

  it('signs in with a password, and tells when it is wrong', async () => {
    const page = await open('/auth/signin?callbackUrl=/');
    const type = async (password: string) => {
      await page.getByLabel('Login').fill('demo');
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Sign in with a password' }).click();
    };
    await type('wrong');
    await page.getByRole('alert').waitFor();
    expect(new URL(page.url()).searchParams.get('error')).toBe('CredentialsSignin');
    await shoot(page, 'wrong password');
    await type('password');
    await page.waitForURL(`${demo.origin}/`);
    expect((await session(page)).user).toMatchObject({ name: 'Demo User', email: 'demo@example.com' });
  });

  it('returns to the protected page that was asked for', async () => {
    const page = await open('/private?chapter=2');
    expect(new URL(page.url()).pathname).toBe('/auth/signin');
    await signInAtProvider(page, 'ada');
    await page.waitForURL(`${demo.origin}/private?chapter=2`);
    expect(await heading(page)).toBe('The private page');
  });

  it('lets the visitor cancel at the provider, and try again', async () => {
    const page = await open('/auth/signin?callbackUrl=/private');
    await page.getByRole('button', { name: 'Demo Provider' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alert').waitFor();
    expect(new URL(page.url()).origin).toBe(demo.origin);
    await shoot(page, 'cancelled');
    await signInAtProvider(page, 'ada');
    await page.waitForURL(`${demo.origin}/private`);
  });

  it('turns away whose address is not verified', async () => {
    const page = await open('/auth/signin?callbackUrl=/');
    await signInAtProvider(page, 'kim');
    await page.waitForURL((url) => url.origin === demo.origin);
    await shoot(page, 'not verified');
    await page.goto(demo.origin);
    expect(await heading(page)).toBe('Nobody is signed in');
  });

  it('keeps the session over a restart', async () => {
    const page = await open('/auth/signin?callbackUrl=/');
    await signInAtProvider(page, 'ada');
    await page.waitForURL(`${demo.origin}/`);
    await page.waitForLoadState('networkidle');
    await demo.stop();
    demo = await startDemo(port, data.path);
    await page.reload();
    expect(await heading(page)).toBe('Ada Lovelace');
    await signOut(page);
    // The account is still known: the same user signs in again, not a second one.
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signInAtProvider(page, 'ada');
    await page.waitForURL(`${demo.origin}/`);
    expect(await heading(page)).toBe('Ada Lovelace');
    const database = new DatabaseSync(join(data.path, 'demo.sqlite'), { readOnly: true });
    const users = database.prepare('SELECT name FROM auth_users WHERE email = ?').all('ada@example.com');
    database.close();
    expect(users).toEqual([{ name: 'Ada Lovelace' }]);
  });

  it.each([
    ['light', 1000],
    ['dark', 1000],
    ['light', 340],
    ['dark', 340],
  ] as const)('can be read in %s at a width of %i', async (colorScheme, width) => {
    const page = await open('/', { colorScheme, viewport: { width, height: 760 }, bypassCSP: true });
    const look = async (name: string) => {
      await shoot(page, `${name} ${colorScheme} ${width}`);
      await page.evaluate(axe);
      expect(await page.evaluate(violations)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    };
    await look('start');
    await page.goto(`${demo.origin}/auth/signin?callbackUrl=/`);
    await look('sign-in');
    await signInAtProvider(page, 'grace');
    await page.waitForURL(`${demo.origin}/`);
    await page.waitForLoadState('networkidle');
    await look('signed in');
    await page.goto(`${demo.origin}/private`);
    await look('private');
    // A missing page is one complaint of the console.
    await page.goto(`${demo.origin}/missing`);
    await look('missing');
    expect(complaints.splice(0)).toEqual([expect.stringContaining('404')]);
  });
});

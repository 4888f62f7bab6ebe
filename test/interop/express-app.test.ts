import { Browser, type Page } from '@latchkey/testing';
import { type OidcProvider, startOidcProvider } from '@latchkey/testing/oidc-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../services/port.ts';
import { type RunningApp, startApp, type Variant } from './express-app/start.ts';

const client = { client_id: 'app', client_secret: 'a secret of at least 32 characters, certainly' };
const variants: readonly Variant[] = [
  { library: 'original', express: 4 },
  { library: 'original', express: 5 },
  { library: 'ours', express: 4 },
  { library: 'ours', express: 5 },
];
const key = ({ library, express }: Variant): string => `${library} on Express ${express}`;

let provider: OidcProvider;
const apps = new Map<string, RunningApp>();

beforeAll(async () => {
  const ports = await Promise.all(variants.map(() => freePort()));
  const redirect_uris = ports.map((port) => `http://127.0.0.1:${port}/auth/callback/company`);
  provider = await startOidcProvider({ host: '127.0.0.1', clients: [{ ...client, redirect_uris }] });
  const env = {
    AUTH_SECRET: 'a secret of more than thirty-two characters',
    AUTH_GITHUB_ID: 'id-of-the-application',
    AUTH_GITHUB_SECRET: 'shared',
    COMPANY_ISSUER: provider.issuer,
    COMPANY_ID: client.client_id,
    COMPANY_SECRET: client.client_secret,
  };
  await Promise.all(
    variants.map(async (variant, index) => apps.set(key(variant), await startApp(variant, ports[index] ?? 0, env))),
  );
});
afterAll(async () => {
  await Promise.all([...apps.values()].map((app) => app.stop()));
  await provider.close();
});

function visit(variant: Variant): Browser {
  const { origin } = apps.get(key(variant)) as RunningApp;
  return new Browser(fetch, { origin });
}

/** The parts of an answer that a visitor sees, without origins, secrets and markup. */
function seen(browser: Browser, page: Page): Record<string, unknown> {
  const isData = page.headers.get('content-type')?.includes('application/json');
  return {
    status: page.status,
    location: page.redirect && plainAddress(browser, page.redirect),
    data: isData ? JSON.parse(page.text().replaceAll(browser.origin, '')) : undefined,
    session: sessionCookie(page),
  };
}

function sessionCookie(page: Page): 'set' | 'cleared' | undefined {
  const cookie = page.setCookies.findLast(({ name }) => name.endsWith('session-token'));
  return cookie && (cookie.value === '' ? 'cleared' : 'set');
}

/** An address without its random parts, and without `state` and `provider`, which only Latchkey always sends. */
function plainAddress({ origin }: Browser, address: URL): string {
  const url = new URL(address);
  for (const name of ['code_challenge', 'nonce']) {
    if (url.searchParams.has(name)) url.searchParams.set(name, 'random');
  }
  for (const name of ['state', 'provider']) url.searchParams.delete(name);
  url.searchParams.sort();
  return decodeURIComponent(url.href).replaceAll(origin, '');
}

type Look = (name: string, page: Page) => void;

/** Posts what a page of the application would post: the built-in page of Latchkey answers its own forms in place. */
async function credentials(browser: Browser, username: string, password: string): Promise<Page> {
  const form = browser.form(await browser.get('/auth/signin'), 'callback/credentials');
  const [csrfToken = '', callbackUrl = ''] = ['csrfToken', 'callbackUrl'].map((name) => form.value(name));
  return browser.post('/auth/callback/credentials', { csrfToken, callbackUrl, username, password });
}

async function company(browser: Browser): Promise<Page> {
  const page = await browser.get('/auth/signin');
  const login = await browser.follow(await browser.submit(browser.form(page, 'signin/company')), { until: 'page' });
  const isBack = (each: Page): boolean => each.redirect?.origin === browser.origin;
  const answer = await browser.submit(browser.form(login), { login: 'grace', password: 'password' });
  return browser.follow(isBack(answer) ? answer : await browser.follow(answer, { until: isBack }));
}

async function pages(browser: Browser, look: Look, who: string): Promise<void> {
  for (const path of ['/', '/profile', '/protected', '/auth/session']) look(`${path}, ${who}`, await browser.get(path));
}

async function signOut(browser: Browser): Promise<Page> {
  return browser.submit(browser.form(await browser.get('/auth/signout')));
}

/** The steps of a visitor, each with its answer. */
async function journey(variant: Variant): Promise<Record<string, unknown>> {
  const browser = visit(variant);
  const log: Record<string, unknown> = {};
  const look: Look = (name, page) => {
    log[name] = seen(browser, page);
  };
  await pages(browser, look, 'signed out before');
  look('providers', await browser.get('/auth/providers'));
  look('to GitHub', await browser.submit(browser.form(await browser.get('/auth/signin'), 'signin/github')));
  look('wrong password', await credentials(browser, 'ada', 'wrong'));
  look('locked', await credentials(browser, 'locked', 'correct horse'));
  look('no token', await browser.post('/auth/callback/credentials', { username: 'ada', password: 'correct horse' }));
  await pages(browser, look, 'after failures');
  look('right password', await credentials(browser, 'ada', 'correct horse'));
  await pages(browser, look, 'ada');
  look('sign-out', await signOut(browser));
  await pages(browser, look, 'signed out');
  look('company', await company(browser));
  await pages(browser, look, 'grace');
  look('nonsense', await browser.get('/auth/nonsense'));
  return log;
}

const RANDOM_ID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;

/** The answers without the end of the session, and without ids that each run makes. */
function comparable(log: Record<string, unknown>): unknown {
  const text = JSON.stringify(log, (name, value) => (name === 'expires' ? undefined : value));
  return JSON.parse(text.replaceAll(RANDOM_ID, 'random'));
}

describe('an application written for @auth/express', () => {
  it.each([4, 5] as const)('does the same on Latchkey after its imports are renamed; Express %s', async (express) => {
    const original = await journey({ library: 'original', express });
    const ours = await journey({ library: 'ours', express });
    expect(comparable(ours)).toEqual(comparable(original));
    // The journey has reached the pages it is about.
    expect(ours).toMatchObject({
      '/profile, signed out before': { status: 302, location: '/login' },
      'wrong password': { location: expect.stringContaining('code=credentials') },
      locked: { location: expect.stringContaining('code=locked') },
      '/profile, after failures': { location: '/login' },
      '/profile, ada': { data: { user: { id: '42', name: 'ada', role: 'admin' }, provider: 'credentials' } },
      '/profile, signed out': { location: '/login' },
      '/profile, grace': { data: { user: { email: 'grace@example.com', role: 'user' }, provider: 'company' } },
    });
  });

  it.each([
    ['original', 'ours', 5, 5],
    ['ours', 'original', 5, 5],
    ['original', 'ours', 4, 5],
    ['ours', 'original', 4, 4],
  ] as const)('keeps its visitors: signed in with %s, then served by %s', async (from, to, before, after) => {
    const browser = visit({ library: from, express: before });
    const { origin } = apps.get(key({ library: to, express: after })) as RunningApp;
    await credentials(browser, 'ada', 'correct horse');
    // As in every browser, cookies belong to a host, not to a port.
    for (const path of ['/profile', '/profile'])
      expect((await browser.get(new URL(path, origin))).json()).toMatchObject({ user: { name: 'ada', role: 'admin' } });
    expect((await browser.get(new URL('/protected', origin))).text()).toBe('protected');
    // A session that the other library has renewed is valid here, too.
    await browser.get(new URL('/auth/session', origin));
    expect((await browser.get('/profile')).json()).toMatchObject({ user: { name: 'ada' }, provider: 'credentials' });
    expect(browser.rejected).toEqual([]);
  });
});

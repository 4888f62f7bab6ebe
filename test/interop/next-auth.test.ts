import { Browser, type CookieJar, type Page } from '@latchkey/testing';
import { type OidcProvider, startOidcProvider } from '@latchkey/testing/oidc-provider';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Served } from '../../packages/next/test/built/next-application.ts';
import { buildApp, type Library, startApp, typeFaultsOf } from './next-auth-app.ts';

/** The origin that visitors type. A proxy in front of the application sends it in `X-Forwarded-*`. */
const origin = 'https://app.example';
const client = { client_id: 'app', client_secret: 'a secret of at least 32 characters, certainly' };
const libraries = ['original', 'ours'] as const;
const other: Readonly<Record<Library, Library>> = { original: 'ours', ours: 'original' };

const running: { provider?: OidcProvider; original?: Served; ours?: Served } = {};

/** The application's environment. Behind a proxy the original needs `AUTH_URL`. */
const environment = (): Record<string, string> => ({
  AUTH_SECRET: 'a secret of more than thirty-two characters',
  AUTH_GITHUB_ID: 'id-of-the-application',
  AUTH_GITHUB_SECRET: 'shared',
  COMPANY_ISSUER: String(running.provider?.issuer),
  COMPANY_ID: client.client_id,
  COMPANY_SECRET: client.client_secret,
});

beforeAll(async () => {
  const redirect_uris = [`${origin}/api/auth/callback/company`];
  running.provider = await startOidcProvider({ clients: [{ ...client, redirect_uris }] });
  // One after the other, because a build needs much memory.
  for (const library of libraries) {
    await buildApp(library);
    running[library] = await startApp(library, { ...environment(), AUTH_URL: origin });
  }
});
afterAll(async () => {
  await Promise.all(libraries.map((library) => running[library]?.stop()));
  await running.provider?.close();
});

/** A browser of the application with that library, with the cookies of another browser if they are given. */
function visit(library: Library, cookies?: CookieJar): Browser {
  return browse(running[library] as Served, cookies);
}

function browse({ port }: Served, cookies?: CookieJar): Browser {
  const handler = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    if (url.origin !== origin) return fetch(request, { redirect: 'manual' });
    const headers = new Headers(request.headers);
    headers.set('x-forwarded-host', url.host);
    headers.set('x-forwarded-proto', 'https');
    const body = request.body ? await request.arrayBuffer() : null;
    const address = `http://127.0.0.1:${port}${url.pathname}${url.search}`;
    return fetch(address, { method: request.method, headers, body, redirect: 'manual' });
  };
  return new Browser(handler, { origin }, cookies);
}

/** The parts of an answer that a visitor sees. */
function seen(page: Page): Record<string, unknown> {
  const isData = page.headers.get('content-type')?.includes('application/json');
  const texts = isData ? [] : [...page.text().matchAll(/ id="(session|card|greeting|error)">(.*?)<\/(?:pre|p|h1)>/g)];
  const cookie = page.setCookies.findLast(({ name }) => name.endsWith('session-token'));
  return {
    status: page.status,
    location: page.redirect && plainAddress(page.redirect),
    data: isData ? page.json() : undefined,
    texts: texts.map(([, id, text = '']) => `${id}: ${text.replaceAll('<!-- -->', '').replaceAll('&quot;', '"')}`),
    session: cookie && `${cookie.name} ${cookie.value === '' ? 'cleared' : 'set'}`,
  };
}

/** An address without its random parts, and without `state`, which Latchkey always sends. */
function plainAddress(address: URL): string {
  const url = new URL(address);
  for (const name of ['code_challenge', 'nonce']) if (url.searchParams.has(name)) url.searchParams.set(name, 'random');
  url.searchParams.delete('state');
  url.searchParams.sort();
  return decodeURIComponent(url.href).replace(origin, '');
}

/** Sends the form with that id, as a browser without scripts does. */
async function send(browser: Browser, path: string, id: string, fields: Record<string, string> = {}): Promise<Page> {
  return browser.submit(
    browser.form(await browser.get(path), (form) => form.id === id),
    fields,
  );
}

async function company(browser: Browser): Promise<Page> {
  const login = await browser.follow(await send(browser, '/login', 'company'), { until: 'page' });
  const isBack = (each: Page): boolean => each.redirect?.origin === origin;
  const answer = await browser.submit(browser.form(login), { login: 'grace', password: 'password' });
  return browser.follow(isBack(answer) ? answer : await browser.follow(answer, { until: isBack }));
}

const ada = { email: 'ada@example.com', password: 'correct horse' };

/** The steps of a visitor, each with its answer. */
async function journey(browser: Browser): Promise<Record<string, unknown>> {
  const log: Record<string, unknown> = {};
  const look = (name: string, page: Page): void => {
    log[name] = seen(page);
  };
  const lookAround = async (who: string): Promise<void> => {
    for (const path of ['/', '/dashboard?tab=2', '/api/me', '/api/auth/session'])
      look(`${path}, ${who}`, await browser.get(path));
  };
  await lookAround('signed out before');
  look('providers', await browser.get('/api/auth/providers'));
  look('to the sign-in page', await browser.get('/api/auth/signin?callbackUrl=/dashboard'));
  look('to GitHub', await send(browser, '/login', 'github'));
  look('wrong password', await send(browser, '/login', 'credentials', { ...ada, password: 'wrong' }));
  look('locked', await send(browser, '/login', 'credentials', { ...ada, email: 'locked@example.com' }));
  look('message', await browser.get('/login?error=CredentialsSignin&code=locked'));
  look('no token', await browser.post('/api/auth/callback/credentials', ada));
  await lookAround('after failures');
  look('right password', await send(browser, '/login?callbackUrl=/dashboard', 'credentials', ada));
  await lookAround('ada');
  // Only Latchkey shows the new name on the page that answers the form.
  look('rename', await send(browser, '/', 'rename', { name: 'Countess' }));
  await lookAround('countess');
  const { csrfToken } = (await browser.get('/api/auth/csrf')).json<{ csrfToken: string }>();
  const data = { user: { name: 'Lady' } };
  look('rename by script', await browser.post('/api/auth/session', { csrfToken, data }, { json: true }));
  await lookAround('lady');
  look('sign-out', await send(browser, '/', 'sign-out'));
  await lookAround('signed out');
  look('company', await company(browser));
  await lookAround('grace');
  look('nonsense', await browser.get('/api/auth/nonsense'));
  return log;
}

/**
 * Returns the answers without values that differ in each run: the end of the session and new ids. Leaves out the
 * session cookie of pages and handlers that only read the session. Auth.js sets it each time, Latchkey when it is due
 * (decisions/24).
 */
function comparable({ rename, ...log }: Record<string, unknown>): unknown {
  const renamed = { ...(rename as object), texts: undefined };
  const looks = Object.entries(log).map(([name, look]) => {
    const { session, ...rest } = look as { session?: string };
    const onlyLooks = /^\/(?!api\/auth\/)/.test(name) && session?.endsWith(' set');
    return [name, onlyLooks ? rest : look];
  });
  const text = JSON.stringify({ ...Object.fromEntries(looks), renamed }, (name, value) =>
    name === 'expires' ? undefined : value,
  );
  return JSON.parse(text.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'random'));
}

describe('an application written for next-auth', () => {
  it('does the same on Latchkey after its imports are renamed', async () => {
    const ours = await journey(visit('ours'));
    expect(comparable(ours)).toEqual(comparable(await journey(visit('original'))));
    // The journey has reached the pages it is about.
    expect(ours).toMatchObject({
      '/dashboard?tab=2, signed out before': {
        status: 307,
        location: '/login?callbackUrl=https://app.example/dashboard?tab=2&tab=2',
      },
      '/api/me, signed out before': { status: 401 },
      locked: { location: '/login?code=locked&error=CredentialsSignin' },
      'right password': { location: '/dashboard', session: '__Secure-authjs.session-token set' },
      '/dashboard?tab=2, ada': { texts: ['greeting: Hello, admin Ada'] },
      '/dashboard?tab=2, countess': { texts: ['greeting: Hello, admin Countess'] },
      '/dashboard?tab=2, lady': { texts: ['greeting: Hello, admin Lady'] },
      'sign-out': { session: '__Secure-authjs.session-token cleared' },
      '/api/me, signed out': { status: 401 },
      '/api/me, grace': { data: { who: 'grace@example.com', role: 'member' } },
    });
  });

  it('has valid types with Latchkey', async () => {
    expect(await typeFaultsOf('ours')).toBe('');
  });

  it('does not need AUTH_URL with Latchkey', async () => {
    const served = await startApp('ours', { ...environment(), AUTH_TRUST_HOST: 'true' });
    onTestFinished(() => served.stop());
    expect(comparable(await journey(browse(served)))).toEqual(comparable(await journey(visit('ours'))));
  });

  it.each(libraries)('honours a session of the other: of %s', async (library) => {
    const browser = visit(library);
    await send(browser, '/login', 'credentials', ada);
    const there = visit(other[library], browser.cookies);
    expect(seen(await there.get('/dashboard'))).toMatchObject({ texts: ['greeting: Hello, admin Ada'] });
    expect(seen(await there.get('/api/me'))).toMatchObject({ status: 200, data: { role: 'admin' } });
    await send(there, '/', 'sign-out');
    expect(seen(await browser.get('/api/me'))).toMatchObject({ status: 401 });
  });
});

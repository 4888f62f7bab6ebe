import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encode } from '@latchkey/core/jwt';
import { Browser } from '@latchkey/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { server } from './core-node.ts';
import { answer } from './core-web.ts';
import { adapter, app, setPassword } from './express-credentials.ts';
import { app as mailApp } from './express-mail.ts';
import { app as sessionsApp } from './express-sessions.ts';

const secret = 'a secret of more than thirty-two characters';
const name = 'authjs.session-token';
const twoDays = 2 * 86_400_000;

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** A session of the day before yesterday, which is due to be extended. */
async function cookie(): Promise<{ headers: { cookie: string } }> {
  vi.useFakeTimers({ now: Date.now() - twoDays, toFake: ['Date'] });
  const value = await encode({ token: { name: 'Ada', sub: '1' }, secret, salt: name });
  vi.useRealTimers();
  return { headers: { cookie: `${name}=${value}` } };
}

/** A browser at a server, which ends with the test. */
async function visiting(listening: Server): Promise<Browser> {
  await new Promise((resolve) => listening.once('listening', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        listening.close(() => resolve());
        listening.closeAllConnections();
      }),
  );
  return new Browser(fetch, { origin: `http://127.0.0.1:${(listening.address() as AddressInfo).port}` });
}

beforeEach(() => {
  vi.stubEnv('AUTH_URL', '');
  vi.stubEnv('AUTH_SECRET', secret);
  vi.stubEnv('AUTH_GITHUB_ID', 'id-of-the-application');
  vi.stubEnv('AUTH_GITHUB_SECRET', 'shared');
});
afterEach(() => void vi.unstubAllEnvs());

describe.each([
  ['packages/core', 'core-web.ts'],
  ['packages/core', 'core-node.ts'],
  ['packages/express', 'express-credentials.ts'],
  ['packages/express', 'express-mail.ts'],
  ['packages/express', 'express-sessions.ts'],
])('the application in the README of %s', (folder, file) => {
  it(`is ${file}, but for what has no place in a test`, () => {
    const printed = [...read(`../../${folder}/README.md`).matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) =>
      code.replace(/\n(\w+\.listen\(3000\)|export default .*);\n$/, '').replace("'auth.db'", "':memory:'"),
    );
    expect(printed).toContain(read(file));
  });
});

describe.each([
  ['takes a Request', async () => new Browser(answer)],
  ['is made with node:http', () => visiting(server.listen(0, '127.0.0.1'))],
])('the server without a framework that %s', (_, browserAt) => {
  it('greets who is signed in, extends the session, and signs in', async () => {
    const browser = await browserAt();
    expect((await browser.get('/')).text()).toContain('/auth/signin');
    const greeted = await browser.get('/', await cookie());
    expect([greeted.status, greeted.text()]).toEqual([200, 'Hello Ada']);
    expect(greeted.setCookies.map((one) => one.name)).toEqual([name]);
    browser.cookies.clear();
    const started = await browser.submit(browser.form(await browser.get('/auth/signin'), 'signin/github'));
    expect(started.location).toContain('https://github.com/login/oauth/authorize?');
  });
});

describe('the application with a page of its own for mails', () => {
  const codes: string[] = [];
  beforeEach(() => {
    const { fetch } = globalThis;
    vi.stubEnv('AUTH_RESEND_KEY', 're_key');
    // The address of Resend's API. Requests to the application go through.
    vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
      if (String(request[0]) !== 'https://api.resend.com/emails') return fetch(...request);
      const { text } = JSON.parse(String(request[1]?.body)) as { text: string };
      codes.push(/\b\d{4} \d{4}\b/.exec(text)?.[0] ?? expect.unreachable());
      return Response.json({ id: '1' });
    });
  });
  afterEach(() => void vi.unstubAllGlobals());

  it('shows the address, and signs in by the code', async () => {
    const browser = await visiting(mailApp.listen(0, '127.0.0.1'));
    const email = "o'hara@example.com";
    const signIn = browser.form(await browser.get('/auth/signin'), 'signin/resend');
    const page = await browser.follow(await browser.submit(signIn, { email }), { until: 'page' });
    expect(new URL(page.url)).toMatchObject({ pathname: '/check-mail', search: '?provider=resend&type=email&code=1' });
    expect(page.text()).toContain('o&#39;hara@example.com');
    expect(page.headers.get('cache-control')).toBe('private, no-store');

    // The script of the page fetches the token.
    const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const enter = async (code: string) => browser.submit(browser.form(page, 'code/resend'), { csrfToken, code });
    expect((await browser.follow(await enter('wrong'), { until: 'page' })).text()).toContain('role="alert"');
    await browser.submit(browser.form(page, 'signin/resend'), { csrfToken });
    expect(codes).toHaveLength(1);
    await enter(codes[0] ?? '');
    expect((await browser.get('/auth/session')).json()).toMatchObject({ user: { email } });
    expect((await browser.get('/check-mail')).location).toBe('/auth/signin');
  });
});

describe('the application with a list of sessions', () => {
  it('lists the sessions of the visitor, and ends one', async () => {
    const browser = await visiting(sessionsApp.listen(0, '127.0.0.1'));
    const other = browser.clone();
    const [mine, theirs] = [await cookie(), await cookie()];
    await other.get('/devices', theirs);
    const list = (await browser.get('/devices', mine)).json<{ id: string; current: boolean }[]>();
    expect(list.map(({ current }) => current).sort()).toEqual([false, true]);
    const end = list.find(({ current }) => !current)?.id;
    expect((await browser.post(`/devices/${end}/end`, {}, mine)).json()).toEqual({ count: 1, within: 10 });
    expect((await browser.get('/devices', mine)).json()).toHaveLength(1);
  });
});

describe('the application with passwords', () => {
  const signIn = async (browser: Browser, email: string, password: string) =>
    browser.submit(browser.form(await browser.get('/auth/signin'), 'callback/credentials'), { email, password });

  it('signs in a visitor with the right password, with a session in the cookie', async () => {
    const id = crypto.randomUUID();
    const address = `${id}@example.com`;
    const user = await adapter.createUser({ id, email: address, emailVerified: null });
    await setPassword(user.id, 'correct horse');
    const browser = await visiting(app.listen(0, '127.0.0.1'));
    for (const [email, password] of [
      [address, 'wrong'],
      ['unknown@example.com', 'correct horse'],
    ] as const) {
      const refused = await signIn(browser, email, password);
      expect([refused.status, refused.text()]).toEqual([422, expect.stringContaining('role="alert"')]);
      expect((await browser.get('/')).text()).toContain('/auth/signin');
    }
    await signIn(browser, address.toUpperCase(), 'correct horse');
    expect((await browser.get('/')).text()).toBe(`Hello ${address}`);
    expect(browser.cookies.get(name)?.value).toMatch(/^eyJ/);
  });
});

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Browser, Page } from '@latchkey/testing';
import { startMailbox } from '@latchkey/testing/mailbox';
import { defaultUsers, type OidcUser, startOidcProvider } from '@latchkey/testing/oidc-provider';
import { expect, it, onTestFinished } from 'vitest';
import { freePort } from '../services/port.ts';
import { projectOf, type Running, settings, startPage } from './page.ts';

const toPage = { until: 'page' } as const;
const asScript = { headers: { 'sec-fetch-mode': 'cors' } };

/** Starts the program of a guide, with a database file that the test deletes. */
async function started(guide: string, env: Readonly<Record<string, string>> = {}): Promise<Running & { file: string }> {
  const file = join(tmpdir(), `latchkey-docs-${crypto.randomUUID()}.db`);
  const own = { ...settings, AUTH_GOOGLE_ID: 'google', AUTH_GOOGLE_SECRET: 'google', DATABASE_FILE: file, ...env };
  // Where a guide has sections for one framework, the first one is that of Express.
  const folder = projectOf(`guides/${guide}.md`, {}, { section: 'Express' });
  const running = await startPage(folder, 'app.ts', own);
  onTestFinished(async () => {
    await running.stop();
    rmSync(file, { force: true });
  });
  return { ...running, file };
}

/** Signs in with GitHub, from a page that needs a session. Returns the page to which the sign-in leads. */
async function throughGitHub(browser: Browser, path: string): Promise<Page> {
  const page = await browser.follow(await browser.get(path), toPage);
  return browser.follow(await browser.submit(browser.form(page, 'signin/github')), toPage);
}

it('add any OpenID provider: a real provider needs its issuer and a client', async () => {
  const port = await freePort();
  const client = {
    client_id: 'shop',
    client_secret: 'secret-of-the-shop',
    redirect_uris: [`http://localhost:${port}/auth/callback/acme`],
  };
  const provider = await startOidcProvider({ clients: [client] });
  onTestFinished(() => provider.close());
  const folder = projectOf('guides/oidc-provider.md');
  const acme = { AUTH_ACME_ISSUER: provider.issuer, AUTH_ACME_ID: 'shop', AUTH_ACME_SECRET: 'secret-of-the-shop' };
  const running = await startPage(folder, 'app.ts', { ...settings, ...acme }, port);
  onTestFinished(() => running.stop());
  const browser = running.visitor(provider.issuer);
  const page = await browser.follow(await browser.get('/'), toPage);
  const login = await browser.follow(await browser.submit(browser.form(page, 'signin/acme')), toPage);
  const back = await browser.submit(browser.form(login), { login: 'ada', password: 'password' });
  expect((await browser.follow(back, toPage)).json()).toMatchObject({ email: 'ada@example.com' });
});

it('email links: the code of the mail signs in', async () => {
  const mailbox = await startMailbox();
  onTestFinished(() => mailbox.close());
  const running = await started('email-links', {
    SMTP_URL: `smtp://${mailbox.server.host}:${mailbox.server.port}`,
    MAIL_FROM: 'Shop <no-reply@shop.example>',
  });
  const browser = running.visitor();
  const page = await browser.follow(await browser.get('/'), toPage);
  const asked = await browser.follow(await browser.submit(browser.form(page), { email: 'ada@example.com' }), toPage);
  const mail = await mailbox.waitFor('ada@example.com');
  const code = /\b\d{4}[ -]?\d{4}\b/.exec(String(mail.text))?.[0] ?? '';
  const back = await browser.follow(await browser.submit(browser.form(asked, '/code/'), { code }), toPage);
  expect(back.text()).toBe('Hello ada@example.com');
});

it('passwords: only the right one signs in', async () => {
  const running = await started('passwords', { FIRST_EMAIL: 'ada@example.com', FIRST_PASSWORD: 'correct horse' });
  const browser = running.visitor();
  const page = await browser.follow(await browser.get('/'), toPage);
  const form = browser.form(page, 'callback/credentials');
  const wrong = await browser.submit(form, { email: 'ada@example.com', password: 'wrong horse' });
  expect(wrong.status).toBe(422);
  const back = await browser.submit(browser.form(wrong), { email: 'ada@example.com', password: 'correct horse' });
  expect((await browser.follow(back, toPage)).text()).toBe('Hello Ada');
});

it('your own sign-in page: it shows errors, and its form signs in', async () => {
  const running = await started('sign-in-page');
  const browser = running.visitor();
  const page = await browser.get('/');
  expect([page.redirect?.pathname, page.redirect?.searchParams.get('callbackUrl')]).toEqual([
    '/welcome',
    expect.stringMatching(/\/$/),
  ]);
  expect((await browser.get('/welcome?error=AccessDenied')).text()).toContain('You may not sign in here.');
  const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
  const form = browser.form(await browser.get('/welcome'));
  const back = await browser.follow(await browser.submit(form, { csrfToken }), toPage);
  expect(back.text()).toBe('Hello Ada Lovelace');
});

it('protect pages: a page redirects, and a script gets 401', async () => {
  const running = await started('protect-pages');
  const browser = running.visitor();
  expect((await browser.get('/members/orders')).redirect?.pathname).toBe('/auth/signin');
  expect((await browser.get('/members/orders', asScript)).status).toBe(401);
  expect((await throughGitHub(browser, '/members/orders')).text()).toBe('The orders of one user');
});

it('protect a JSON API: notes belong to the user of the session', async () => {
  const running = await started('json-api');
  const browser = running.visitor();
  expect((await browser.get('/api/notes', asScript)).status).toBe(401);
  await browser.follow(await browser.submit(browser.form(await browser.get('/auth/signin'), 'signin/github')), {
    until: ({ url }) => url.includes('/callback/'),
  });
  const posted = await browser.post('/api/notes', { text: 'milk' }, { json: true });
  expect([posted.status, (await browser.get('/api/notes', asScript)).json()]).toEqual([201, ['milk']]);
  expect((await browser.post('/api/notes', { text: 7 }, { json: true })).status).toBe(400);
});

it('roles: a change in the database counts at once', async () => {
  const running = await started('roles');
  const browser = running.visitor();
  expect((await throughGitHub(browser, '/')).text()).toBe('Your role: member');
  expect((await browser.get('/admin')).status).toBe(403);
  const db = new DatabaseSync(running.file);
  db.exec(`update "auth_users" set "role" = 'admin' where "email" = 'ada@example.com'`);
  db.close();
  expect((await browser.get('/admin')).text()).toBe('Hello administrator');
});

it('user fields: they come from the profile, and the application changes them', async () => {
  const running = await started('user-fields');
  const browser = running.visitor();
  expect((await throughGitHub(browser, '/')).json()).toMatchObject({ tier: 'free', company: 'Acme' });
  await browser.post('/tier', {}, { json: true });
  expect((await browser.get('/')).json()).toMatchObject({ tier: 'pro' });
});

it('provider tokens: the route calls the API of GitHub, and the session does not show the token', async () => {
  const running = await started('provider-tokens');
  const browser = running.visitor();
  expect((await browser.get('/github/user')).status).toBe(401);
  await browser.follow(await browser.submit(browser.form(await browser.get('/auth/signin'), 'signin/github')), {
    until: ({ url }) => url.includes('/callback/'),
  });
  expect((await browser.get('/github/user')).json()).toMatchObject({ login: 'ada' });
  expect((await browser.get('/auth/session')).text()).not.toContain('gho_test');
});

it('move from another library: a visitor with an old session is greeted, and the old session ends', async () => {
  const file = join(tmpdir(), `latchkey-docs-${crypto.randomUUID()}.db`);
  const db = new DatabaseSync(file);
  onTestFinished(() => {
    db.close();
    rmSync(file, { force: true });
  });
  db.exec('create table user (id text, name text, email text)');
  db.exec('create table session (id text, user_id text, expires_at integer)');
  db.exec("insert into user values ('7', 'Ada', 'ada@example.com')");
  db.prepare("insert into session values ('old-session', '7', ?)").run(Math.floor(Date.now() / 1000) + 86_400);
  const folder = projectOf('guides/move-from-another-library.md');
  const env = { DATABASE_FILE: file, OLD_SESSIONS_UNTIL: new Date(Date.now() + 86_400_000).toISOString() };
  const copy = (): string =>
    spawnSync(process.execPath, ['copy-users.ts'], { cwd: folder, env: { ...process.env, ...env }, encoding: 'utf8' })
      .stdout;
  expect([copy(), copy()]).toEqual(['1 users copied\n', '0 users copied\n']);

  const running = await startPage(folder, 'app.ts', { ...settings, ...env });
  onTestFinished(() => running.stop());
  const browser = running.visitor();
  expect((await browser.get('/')).text()).toBe('Please sign in');
  browser.cookies.set('auth_session', 'old-session');
  expect((await browser.get('/')).text()).toBe('Hello Ada');
  expect((await browser.get('/')).text()).toBe('Hello Ada');
  expect(browser.cookies.has('auth_session')).toBe(false);
  expect(db.prepare('select count(*) as rows from session').get()).toEqual({ rows: 0 });
});

it.each([undefined, 'Express'] as const)(
  'company sign-in, section %s: a group of the provider decides who is an administrator',
  async (section) => {
    const port = await freePort();
    const client = {
      client_id: 'shop',
      client_secret: 'secret-of-the-shop',
      redirect_uris: [`http://localhost:${port}/auth/callback/acme`],
    };
    const [ada, other] = defaultUsers;
    if (!ada || !other) throw new Error('the provider has two users');
    const provider = await startOidcProvider({ clients: [client], users: [{ ...ada, groups: ['admins'] }, other] });
    onTestFinished(() => provider.close());
    const acme = { AUTH_ACME_ISSUER: provider.issuer, AUTH_ACME_ID: 'shop', AUTH_ACME_SECRET: 'secret-of-the-shop' };
    const folder = projectOf('guides/company-sign-in.md', {}, { section });
    const running = await startPage(folder, 'app.ts', { ...settings, ...acme }, port);
    onTestFinished(() => running.stop());
    const signedIn = async ({ login, password }: OidcUser): Promise<[browser: Browser, page: Page]> => {
      const browser = running.visitor(provider.issuer);
      const welcome = await browser.follow(await browser.get('/admin'), toPage);
      expect([new URL(welcome.url).pathname, new URL(welcome.url).search]).toEqual([
        '/welcome',
        '?callbackUrl=%2Fadmin',
      ]);
      // The script of the page fills in these fields.
      const { csrfToken } = (await browser.get('/auth/csrf')).json<{ csrfToken: string }>();
      const form = browser.form(welcome, 'signin/acme');
      const started = await browser.follow(await browser.submit(form, { csrfToken, callbackUrl: '/admin' }), toPage);
      return [browser, await browser.follow(await browser.submit(browser.form(started), { login, password }), toPage)];
    };
    const [admin, page] = await signedIn(ada);
    expect(page.text()).toBe(`Hello administrator ${ada.name}`);
    expect((await admin.get('/api/report', asScript)).json()).toEqual({ visitors: 42 });
    const [employee, refused] = await signedIn(other);
    expect([refused.status, refused.text()]).toEqual([403, 'For administrators']);
    expect((await employee.get('/api/report', asScript)).status).toBe(403);
    expect((await running.visitor().get('/api/report', asScript)).status).toBe(401);
  },
);

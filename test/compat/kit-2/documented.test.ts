import { type Browser, DEFAULT_SECRET } from '@latchkey/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildKit } from '../../../packages/sveltekit/test/kit/build.ts';
import { fakeProvider } from '../../../packages/sveltekit/test/kit/scene.ts';
import { type Kit, shown, startKit } from '../../../packages/sveltekit/test/kit/server.ts';
import { nothingWrong, svelteCheck } from '../svelte-check.ts';
import { documented, renamed } from './twins.ts';

const SESSION = 'authjs.session-token';
const idp = fakeProvider();
const started: Record<string, Kit> = {};
const names = ['the original', 'ours'];

beforeAll(async () => {
  Object.assign(globalThis, { idp: idp.fetch });
  // Known by Kit alone, as in development.
  const env = { AUTH_SECRET: 'a-secret-for-tests-of-more-than-32-characters', AUTH_IDP_SECRET: DEFAULT_SECRET };
  started['the original'] = await startKit(documented, env);
  started['ours'] = await startKit(renamed(), env);
});

const browserOf = (name: string): Browser => (started[name] as Kit).browser({ routes: { [idp.issuer]: idp.fetch } });

const ada = { user: { name: 'Ada Lovelace', email: 'ada@example.com' }, subject: expect.any(String) };

async function signedIn(browser: Browser): Promise<void> {
  const page = await browser.get('/');
  const form = browser.form(page, (form) => form.value('providerId') === 'idp');
  const end = await browser.follow(await browser.submit(form), { until: 'page' });
  expect([end.url, shown(end)]).toMatchObject(['http://localhost:3000/protected', ada]);
}

describe.each(names)('an application for Auth.js on Kit 2, with %s', (name) => {
  it('has forms with the documented texts', async () => {
    const browser = browserOf(name);
    const forms = browser.forms(await browser.get('/'));
    expect(forms.map(({ action, buttons }) => [action, buttons.map(({ text }) => text)])).toEqual([
      ['http://localhost:3000/signin', ['Enter']],
      ['http://localhost:3000/signin', ['Signin with credentials']],
    ]);
    expect(forms[0]?.fields.map(({ name, value }) => `${name}=${value}`)).toEqual(
      expect.arrayContaining(['providerId=idp', 'redirectTo=/protected', 'callbackUrl=/protected']),
    );
    expect(forms[1]?.fields.map(({ name }) => name)).toEqual(['providerId', 'password']);
  });

  it('signs in at a provider of another origin, and out', async () => {
    const browser = browserOf(name);
    for (const path of ['/protected', '/admin']) expect((await browser.get(path)).location).toBe('/signin');
    await signedIn(browser);
    expect((await browser.get('/whoami')).json()).toMatchObject(ada);
    expect(shown(await browser.get('/admin'))).toMatchObject(ada);
    const page = await browser.submit(browser.form(await browser.get('/')));
    expect([page.status, page.redirect?.pathname]).toEqual([302, '/']);
    expect((await browser.get('/whoami')).json()).toBeNull();
    expect(browser.rejected).toEqual([]);
  });

  it('signs in with credentials, or reports that they are wrong', async () => {
    const browser = browserOf(name);
    const form = () => (f: { value(name: string): string | undefined }) => f.value('providerId') === 'credentials';
    const wrong = await browser.submit(browser.form(await browser.get('/'), form()), { password: 'wrong' });
    expect(wrong.status).toBe(500);
    const right = await browser.submit(browser.form(await browser.get('/'), form()), { password: 'right' });
    expect(right.redirect?.href).toBe('http://localhost:3000/');
    expect((await browser.get('/whoami')).json()).toMatchObject({ user: { name: 'Ada' } });
  });

  it('answers the scripts of the original', async () => {
    const browser = browserOf(name);
    const page = await browser.post(
      '/auth/callback/credentials',
      { password: 'right', callbackUrl: '/protected' },
      { mode: 'cors', headers: { 'x-auth-return-redirect': '1' } },
    );
    expect(page.json()).toEqual({ url: 'http://localhost:3000/protected' });
    expect(page.cookie(SESSION)).toBeDefined();
    const wrong = await browser.post(
      '/auth/callback/credentials',
      { password: 'wrong' },
      {
        mode: 'cors',
        headers: { 'x-auth-return-redirect': '1' },
      },
    );
    expect(new URL(wrong.json<{ url: string }>().url).searchParams.get('code')).toBe('wrong-password');
    expect((await browser.post('/auth/signout', {}, { headers: { 'x-auth-return-redirect': '1' } })).status).toBe(200);
    expect((await browser.get('/whoami')).json()).toBeNull();
  });

  it('accepts forms from its own origin only', async () => {
    const page = await browserOf(name).post('/signin', {}, { site: 'cross-site', initiator: 'https://evil.test' });
    expect(page.status).toBe(403);
  });
});

describe.each([
  ['the original', 'ours'],
  ['ours', 'the original'],
])('a session of %s', (made, read) => {
  it(`is one of ${read}`, async () => {
    const browser = browserOf(made);
    await signedIn(browser);
    const value = browser.cookies.get(SESSION)?.value ?? '';
    const other = browserOf(read);
    other.cookies.set(SESSION, value);
    expect((await other.get('/whoami')).json()).toMatchObject(ada);
  });
});

it('its types are valid with Latchkey and with Kit 2', async () => {
  const app = renamed();
  await buildKit(app);
  expect(await svelteCheck(app)).toBe(nothingWrong);
});

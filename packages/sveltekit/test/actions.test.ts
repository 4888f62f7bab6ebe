import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signedIn } from './kit/journey.ts';
import { config, fakeProvider, logged, play } from './kit/scene.ts';
import { app, type Kit, shown, startKit } from './kit/server.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit(app);
});
beforeEach(() => play(config()));

const SESSION = 'authjs.session-token';
const REVISION = 'authjs.revision';
const ada = { user: { name: 'Ada', email: 'ada@example.com' } };
const right = { providerId: 'credentials', password: 'right' };
/** As `use:enhance` sends it. */
const enhanced = { headers: { accept: 'application/json', 'x-sveltekit-action': 'true' }, mode: 'cors' } as const;

describe('the form action signIn', () => {
  it('signs in with credentials, and redirects to the address of the form', async () => {
    const browser = kit.browser();
    const page = await browser.post('/shop/signin?/plain', { ...right, redirectTo: '/shop/private' });
    expect([page.status, page.location]).toEqual([302, 'http://localhost:3000/shop/private']);
    expect(shown(await browser.follow(page))).toMatchObject({ session: ada });
    expect(browser.rejected).toEqual([]);
  });

  it('redirects to the page of the form, and never to another site', async () => {
    const referer = 'http://localhost:3000/shop/private?tab=2';
    const back = await kit.browser().post('/shop/signin?/plain', right, { headers: { referer } });
    expect(back.location).toBe(referer);
    const away = await kit.browser().post('/shop/signin?/plain', { ...right, redirectTo: 'https://evil.test/' });
    expect(away.location).toBe('http://localhost:3000/');
  });

  it.each([
    ['a path that Kit has resolved', { redirectTo: './private?tab=2' }, '/shop/private?tab=2'],
    ['its start page, where nothing is said,', {}, '/shop/'],
  ])('redirects to %s within the application', async (_name, said, expected) => {
    const page = await kit.browser().post('/shop/signin?/plain', { ...right, ...said });
    expect(page.location).toBe(`http://localhost:3000${expected}`);
    const out = await kit.browser().post('/shop/signout?/plain', said);
    expect(out.location).toBe(`http://localhost:3000${expected}`);
  });

  it('takes the visitor to a provider at another origin, without scripts and with them', async () => {
    const fake = fakeProvider();
    play(config({ providers: [fake.provider()] }));
    const fields = { providerId: 'fake', redirectTo: '/shop/private', 'authorizationParams-prompt': 'login' };
    const browser = kit.browser({ routes: { [fake.issuer]: fake.fetch } });
    const page = await browser.post('/shop/signin?/plain', fields);
    expect(page.redirect?.origin).toBe(fake.issuer);
    expect(page.redirect?.searchParams.get('prompt')).toBe('login');
    expect(page.redirect?.searchParams.get('redirect_uri')).toBe('http://localhost:3000/shop/auth/callback/fake');
    const end = await browser.follow(page, { until: 'page' });
    expect([end.url, shown(end)]).toMatchObject(['http://localhost:3000/shop/private', { session: {} }]);

    const script = await kit.browser().post('/shop/signin?/plain', fields, enhanced);
    expect(script.json()).toMatchObject({ type: 'redirect', status: 302 });
    expect(script.json<{ location: string }>().location).toContain(fake.endpoints.authorization);
  });

  it('passes on every parameter for the provider, equal names too', async () => {
    const fake = fakeProvider();
    play(config({ providers: [fake.provider()] }));
    const form = new URLSearchParams([
      ['providerId', 'fake'],
      ['authorizationParams-theme', 'a'],
      ['authorizationParams-theme', 'b'],
    ]);
    const page = await kit.browser().post('/shop/signin?/plain', form);
    expect(page.redirect?.searchParams.get('theme')).toBe('b');
    expect([...(page.redirect?.searchParams.keys() ?? [])].filter((name) => name.includes('-'))).toEqual([]);
  });

  it.each([{}, { providerId: '' }, { providerId: 'unknown' }])('redirects %j to the sign-in page', async (fields) => {
    const page = await kit.browser().post('/shop/signin?/plain', { ...fields, redirectTo: '/shop/private' });
    expect(page.redirect?.pathname).toBe('/shop/auth/signin');
    expect(page.redirect?.searchParams.get('callbackUrl')).toBe('/shop/private');
  });

  it('throws AuthErrors, which the application may turn into its own answer', async () => {
    const browser = kit.browser();
    const wrong = { ...right, password: 'wrong' };
    const told = await browser.post('/shop/signin?/told', wrong);
    expect([told.status, shown(told)]).toEqual([400, { code: 'credentials' }]);
    expect((await browser.post('/shop/signin?/plain', wrong)).status).toBe(500);
    expect(browser.cookies.get(SESSION)).toBeUndefined();
    expect(logged).toEqual(['CredentialsSignin', 'CredentialsSignin']);
  });

  it('returns the address with redirect=false, and auth() returns the new session at once', async () => {
    const page = await kit.browser().post('/shop/signin?/read', { ...right, redirectTo: '/shop/private' });
    expect(shown(page)).toMatchObject({ url: 'http://localhost:3000/shop/private', before: null, after: ada });
    expect(page.setCookies.map(({ name }) => name)).toContain(SESSION);
  });
});

describe('the form action signOut', () => {
  it('ends the session, and redirects to the address of the form', async () => {
    const browser = await signedIn(kit.browser());
    const page = await browser.post('/shop/signout?/plain', { redirectTo: '/shop/private' });
    expect([page.status, page.location]).toEqual([302, 'http://localhost:3000/shop/private']);
    expect((await browser.follow(page)).status).toBe(303);
    expect(browser.cookies.get(SESSION)).toBeUndefined();
  });

  it('returns the address with redirect=false, and auth() is null at once', async () => {
    const browser = await signedIn(kit.browser());
    const page = await browser.post('/shop/signout?/told', { redirect: 'false', redirectTo: '/shop/private' });
    expect(shown(page)).toEqual({ url: 'http://localhost:3000/shop/private', before: expect.anything(), after: null });
  });
});

describe('update(event, data)', () => {
  const callbacks = {
    jwt: ({ token, trigger, session }: { token: object; trigger?: string; session?: { name: string } }) =>
      trigger === 'update' ? { ...token, name: session?.name } : token,
  };

  it('passes data to the callbacks, and auth() returns their result', async () => {
    play(config({ callbacks: callbacks as never }));
    const browser = await signedIn(kit.browser());
    const page = await browser.post('/shop/update', { name: 'Countess' });
    const countess = { user: { name: 'Countess' } };
    expect(shown(page)).toMatchObject({ before: ada, returned: countess, after: countess });
    expect(shown(await browser.get('/shop/'))).toMatchObject({ session: countess });
  });

  it('is null for a visitor who is not signed in', async () => {
    expect(shown(await kit.browser().post('/shop/update'))).toEqual({ before: null, returned: null, after: null });
  });
});

describe('the cookie for scripts', () => {
  it('changes with each sign-in, update and sign-out, and with nothing else', async () => {
    const browser = await signedIn(kit.browser());
    const values = [browser.cookies.get(REVISION)?.value];
    expect(browser.cookies.get(REVISION)).toMatchObject({ httpOnly: false, path: '/' });
    await browser.get('/shop/');
    expect(browser.cookies.get(REVISION)?.value).toBe(values[0]);
    for (const path of ['/shop/update', '/shop/signout?/plain']) {
      await browser.post(path);
      values.push(browser.cookies.get(REVISION)?.value);
    }
    expect(new Set(values).size).toBe(3);
  });
});

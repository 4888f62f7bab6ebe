import { describe, expect, it } from 'vitest';
import { doors } from './doors.ts';
import { expectConfiguration, fakeProvider, oidc, scene } from './scene.ts';

const pages = {
  signIn: '/login?lang=de',
  signOut: '/bye',
  error: '/oops?from=auth',
  verifyRequest: '/check-mail?x=1',
  newUser: '/welcome',
};

describe.each(doors)('pages through $name', (door) => {
  it.each(['signin', 'signout', 'verify-request', 'error'])(
    '%s is private, cannot be framed, and runs no script',
    async (path) => {
      const app = scene(door, { providers: [oidc(fakeProvider())] });
      const page = await app.browser.get(`/auth/${path}`);
      expect(Object.fromEntries(page.headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
      });
      expect(page.text()).not.toMatch(/<script/i);
    },
  );

  it('the sign-in form works as it stands', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    const page = await app.browser.get('/auth/signin?callbackUrl=%2Fdeep');
    const started = await app.browser.submit(app.browser.form(page, 'signin/fake'));
    const done = await app.finish(await fake.authorize(started.location ?? ''));
    expect(done.location).toBe('http://localhost:3000/deep');
    const out = await app.browser.get('/auth/signout');
    await app.browser.submit(app.browser.form(out));
    expect(await app.session()).toBeNull();
  });

  it('have no parameter by which a link could change them', async () => {
    const app = scene(door, { providers: [oidc(fakeProvider())] });
    const own = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>().csrfToken;
    const query = 'csrfToken=planted&callbackUrl=https%3A%2F%2Fevil.example&providers=x&theme=x&signInUrl=javascript:x';
    const page = await app.browser.get(`/auth/signin?${query}`);
    expect(page.status).toBe(200);
    expect(page.text()).not.toMatch(/planted|evil\.example|javascript:/);
    expect(page.text()).toContain(own);
  });

  it('of the application are where the actions lead', async () => {
    const app = scene(door, { providers: [oidc(fakeProvider())], pages });
    const locations = async (path: string): Promise<string | undefined> => (await app.browser.get(path)).location;
    const back = encodeURIComponent('http://localhost:3000/x');
    expect(await locations('/auth/signin?callbackUrl=/x')).toBe(`/login?lang=de&callbackUrl=${back}`);
    expect(await locations('/auth/signin?error=AccessDenied&callbackUrl=/x')).toBe(
      `/login?lang=de&callbackUrl=${back}&error=AccessDenied`,
    );
    expect(await locations('/auth/signout')).toBe('/bye');
    expect(await locations('/auth/error?error=AccessDenied')).toBe('/oops?from=auth&error=AccessDenied');
    expect(await locations('/auth/error')).toBe('/oops?from=auth');
    expect(await locations('/auth/verify-request?provider=email&type=email')).toBe(
      '/check-mail?x=1&provider=email&type=email',
    );
  });

  it('of the application may be written without the slash at their beginning', async () => {
    const fake = fakeProvider();
    const bare = Object.fromEntries(Object.entries(pages).map(([name, page]) => [name, page.slice(1)]));
    const app = scene(door, { providers: [oidc(fake)], pages: bare, basePath: 'api/auth' });
    const locations = async (path: string): Promise<string | undefined> => (await app.browser.get(path)).location;
    expect(await locations('/api/auth/signin?error=AccessDenied')).toMatch(/^\/login\?lang=de&/);
    expect(await locations('/api/auth/signout')).toBe('/bye');
    expect(await locations('/api/auth/error')).toBe('/oops?from=auth');
    expect(await locations('/api/auth/verify-request')).toBe('/check-mail?x=1');
    const refused = await app.browser.post('/api/auth/signin/fake', {});
    expect(refused.location).toBe('http://localhost:3000/login?lang=de&error=MissingCSRF');
  });

  it('of the application are where failures lead, on our origin', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)], pages });
    const refused = await app.browser.post('/auth/signin/fake', {});
    expect(refused.location).toBe('http://localhost:3000/login?lang=de&error=MissingCSRF');
    const denied = scene(door, { providers: [oidc(fake)], pages, callbacks: { signIn: () => false } });
    expect((await denied.signIn(fake)).location).toBe('http://localhost:3000/oops?from=auth&error=AccessDenied');
  });

  it('of the application may be elsewhere', async () => {
    const app = scene(door, {
      providers: [],
      pages: { signIn: 'https://login.example/start', error: 'https://login.example/e' },
    });
    expect((await app.browser.post('/auth/signin/x', {})).location).toBe(
      'https://login.example/start?error=MissingCSRF',
    );
  });

  it('show a reference that stands in the log, and no word that a link brings', async () => {
    const app = scene(door, { providers: [oidc(fakeProvider(), { clientId: undefined })] });
    const page = await app.begin();
    expectConfiguration(app, page);
    const shown = await app.browser.follow(page);
    expect(shown.status).toBe(500);
    expect(shown.text()).toContain(String(app.log.errors[0]?.cause?.reference));
    expect(shown.text()).not.toMatch(/clientId|client id/);
    const planted = await app.browser.get('/auth/error?error=Configuration&reference=call-0900-now');
    expect(planted.text()).not.toContain('0900');
  });

  it('tell in development what is wrong', async () => {
    const app = scene(
      door,
      { providers: [oidc(fakeProvider(), { clientId: undefined })] },
      { call: { development: true } },
    );
    const page = await app.begin();
    expect(page.status).toBe(500);
    expect(page.text()).toMatch(/no client id/);
  });
});

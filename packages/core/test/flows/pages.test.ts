import { describe, expect, it } from 'vitest';
import { oneDoor } from './doors.ts';
import { fakeProvider, oidc, oidcScene, scene } from './scene.ts';

const pages = {
  signIn: '/login?lang=de',
  signOut: '/bye',
  error: '/oops?from=auth',
  verifyRequest: '/check-mail?x=1',
  newUser: '/welcome',
};

describe.each(oneDoor)('pages through $name', (door) => {
  it('the sign-in form works without scripts', async () => {
    const { app, fake } = oidcScene(door);
    const page = await app.browser.get('/auth/signin?callbackUrl=%2Fdeep');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const started = await app.browser.submit(app.browser.form(page, 'signin/fake'));
    const done = await app.finish(await fake.authorize(started.location ?? ''));
    expect(done.location).toBe('http://localhost:3000/deep');
    const out = await app.browser.get('/auth/signout');
    await app.browser.submit(app.browser.form(out));
    expect(await app.session()).toBeNull();
  });

  it('show the style of the theme and of the provider', async () => {
    const style = { brandColor: '#123456', logo: 'https://logo.test/a.png', text: '#fff' };
    const second = { id: 'second', name: 'My company', style: { bg: '#654321', icon: 'M0 0h24z' } };
    const theme = { brandColor: '#abcdef', buttonText: '#101010', logo: 'https://logo.test/b.png' };
    const providers = [oidc(fakeProvider(), { style }), oidc(fakeProvider(), second)];
    const app = scene(door, { providers, theme: { ...theme, colorScheme: 'dark' } });
    const text = (await app.browser.get('/auth/signin')).text();
    const shown = [style.logo, '#654321', 'd="M0 0h24z"', 'My company', 'data-color-scheme="dark"'];
    for (const part of [...shown, ...Object.values(theme)]) expect(text).toContain(part);
  });

  it.each<[string, object]>([
    ['credentials without `credentials`', { type: 'credentials' }],
    ['credentials whose fields are null', { type: 'credentials', credentials: null }],
    [
      'credentials with fields of other types',
      { type: 'credentials', credentials: { name: null, code: 'text', pin: 4 } },
    ],
    [
      'credentials with a label of another type',
      { type: 'credentials', credentials: { pin: { label: Object.create(null) } } },
    ],
    ['credentials without a name', { type: 'credentials', name: undefined, credentials: { pin: {} } }],
    ['mailed links without a name', { type: 'email', name: undefined }],
    ['a provider whose name is a number', { type: 'oauth', name: 7 }],
    ['a provider whose style is text', { type: 'oauth', style: 'blue' }],
    ['a provider whose colors are numbers', { type: 'oauth', style: { brandColor: 7, logo: {}, icon: [] } }],
    ['passkeys without fields', { type: 'webauthn', enableConditionalUI: false }],
    ['passkeys whose fields are text', { type: 'webauthn', formFields: 'email' }],
  ])('list the other ways to sign in beside %s', async (_title, own) => {
    const other = { id: 'other', name: 'Other', authorize: () => ({ id: '1', name: 'Ada' }), ...own };
    const app = scene(door, { providers: [other as never, oidc(fakeProvider())] });
    const page = await app.browser.get('/auth/signin');
    expect(page.status).toBe(200);
    expect(page.text()).toMatch(/action="[^"]+\/(signin|callback)\/other"/);
    expect(page.text()).toContain('action="http://localhost:3000/auth/signin/fake"');
    expect((await app.browser.get('/auth/providers')).json()).toMatchObject({ other: {}, fake: {} });
  });

  it('have a form without fields for credentials without `credentials`, and it signs in', async () => {
    const other = { id: 'other', name: 'Other', type: 'credentials', authorize: () => ({ id: '1', name: 'Ada' }) };
    const app = scene(door, { providers: [other as never] });
    const page = await app.browser.get('/auth/signin');
    await app.browser.submit(app.browser.form(page, 'callback/other'));
    expect(await app.session()).toMatchObject({ user: { name: 'Ada' } });
    expect(app.log.errors).toEqual([]);
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

  it('of the application replace the built-in ones', async () => {
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

  it('of the application may be written without a leading slash', async () => {
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

  it('of the application are where failures lead, on the site’s origin', async () => {
    const { app, fake } = oidcScene(door, {}, { pages });
    const refused = await app.browser.post('/auth/signin/fake', {});
    expect(refused.location).toBe('http://localhost:3000/login?lang=de&error=MissingCSRF');
    const denied = scene(door, { providers: [oidc(fake)], pages, callbacks: { signIn: () => false } });
    expect((await denied.signIn(fake)).location).toBe('http://localhost:3000/oops?from=auth&error=AccessDenied');
  });

  it('of the application may be on another origin', async () => {
    const app = scene(door, {
      providers: [],
      pages: { signIn: 'https://login.example/start', error: 'https://login.example/e' },
    });
    expect((await app.browser.post('/auth/signin/x', {})).location).toBe(
      'https://login.example/start?error=MissingCSRF',
    );
  });

  it('show no reference from a link that cannot be in the log', async () => {
    const page = await scene(door, {}).browser.get('/auth/error?error=Configuration&reference=call-0900-now');
    expect(page.text()).not.toContain('0900');
  });
});

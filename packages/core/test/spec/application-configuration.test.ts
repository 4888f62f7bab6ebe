import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { encode } from '../../src/jwt.ts';
import { raw, skipCSRFCheck } from '../../src/symbols.ts';
import type { AuthConfig, CookiesOptions, PagesOptions, SessionOptions, Theme } from '../../src/types.ts';
import { asked, fakeProvider, leadsTo, log, oidc, SECRET, sessionCookies } from '../flows/scene.ts';
import { claims, credentialsSite, names, oidcSite, SESSION, site, storeSite } from './site.ts';

afterEach(() => void vi.restoreAllMocks());

const https = { origin: 'https://app.test' };

describe('application configuration (AuthConfig)', () => {
  it('providers | required; the built-in page and the `providers` action have them all', async () => {
    const app = site({ providers: [oidc(fakeProvider()), oidc(fakeProvider(), { id: 'second' })] });
    expect(Object.keys((await app.browser.get('/auth/providers')).json<object>())).toEqual(['fake', 'second']);
    expectTypeOf<AuthConfig>().toHaveProperty('providers');
    const without = site({ providers: undefined as never });
    expect((await without.browser.get('/auth/signin')).status).toBe(500);
  });

  it('adapter? | keeps users, accounts and sessions', async () => {
    const app = storeSite();
    await app.enter();
    expect(app.adapter.store.users.size).toBe(1);
  });

  it('basePath? | `/auth`', async () => {
    expect((await site().browser.get('/auth/csrf')).status).toBe(200);
    const app = site({ basePath: '/api/auth' });
    expect((await app.browser.get('/api/auth/csrf')).status).toBe(200);
    expect((await app.browser.get('/auth/csrf')).status).toBe(400);
  });

  it('secret? | string: signs cookies, derives keys', async () => {
    const app = oidcSite({ secret: 'another-secret-of-more-than-32-characters' });
    await app.enter();
    await expect(claims(app)).rejects.toThrow('the token is not valid');
  });

  it('secret? | list: the first secret that decrypts a token is used, new sessions use the newest', async () => {
    const app = site({ secret: [SECRET, 'the-old-secret-of-more-than-32-characters'] });
    const old = { secret: 'the-old-secret-of-more-than-32-characters', salt: SESSION };
    app.browser.cookies.set(SESSION, await encode({ token: { name: 'Ada' }, ...old }));
    expect(await app.session()).toMatchObject({ user: { name: 'Ada' } });
    expect(await claims(app)).toMatchObject({ name: 'Ada' });
  });

  it('callbacks?, events?', async () => {
    const app = oidcSite({ callbacks: { session: ({ session }) => ({ ...session, mine: true }) } });
    await app.enter();
    expect(await app.session()).toMatchObject({ mine: true });
    expect(names(app)).toEqual(['signIn', 'session']);
  });

  it('logger? | default: the console', async () => {
    const write = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await site({ logger: undefined }).browser.post('/auth/signout');
    expect(write.mock.calls.flat().join(' ')).toContain('MissingCSRF');
  });

  it('logger? | when set, `debug` is ignored', async () => {
    const write = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const own = log();
    await oidcSite({ logger: { ...own, debug: undefined }, debug: true }).begin();
    expect(write).not.toHaveBeenCalled();
    await oidcSite({ logger: own, debug: false }).begin();
    expect(own.debugged).not.toEqual([]);
  });

  it('debug? | `false`', async () => {
    const write = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await oidcSite({ logger: undefined }).begin();
    expect(write).not.toHaveBeenCalled();
    await oidcSite({ logger: undefined, debug: true }).begin();
    expect(write).toHaveBeenCalled();
  });

  it('experimental?.enableWebAuthn | default `false`; prints a warning when enabled', async () => {
    const app = site({ experimental: { enableWebAuthn: true } });
    await app.session();
    expect(app.log.warnings).toEqual([['experimental-webauthn']]);
  });

  it('trustHost? | must be true', async () => {
    for (const trustHost of [false, undefined]) {
      const app = site({ trustHost });
      expect((await app.browser.get('/auth/session')).status).toBe(500);
      expect(app.log.types()).toEqual(['UntrustedHost']);
    }
  });

  it('useSecureCookies? | default `false` for `http://` URLs, `true` for HTTPS', async () => {
    const cookie = async (app: typeof plain): Promise<boolean | undefined> =>
      (await app.browser.get('/auth/csrf')).setCookies[0]?.secure;
    const plain = site();
    expect(await cookie(plain)).toBe(false);
    expect(await cookie(site({}, https))).toBe(true);
    expect(await cookie(site({ useSecureCookies: true }))).toBe(true);
    expect(await cookie(site({ useSecureCookies: false }, https))).toBe(false);
  });

  it('redirectProxyUrl? | sets the `redirect_uri`; auto-enables the `state` check', async () => {
    const app = oidcSite({ redirectProxyUrl: 'https://stable.example/my/auth' });
    const params = asked(await app.begin());
    expect(params.redirect_uri).toBe('https://stable.example/my/auth/callback/fake');
    expect(params.state).toEqual(expect.any(String));
  });

  it('skipCSRFCheck? | framework-author marker: disables CSRF protection', async () => {
    const app = oidcSite({ skipCSRFCheck });
    expect((await app.browser.post('/auth/signin/fake')).location).toMatch(app.fake.endpoints.authorization);
    const look = oidcSite({ skipCSRFCheck: Symbol('skip-csrf-check') as never });
    expect(leadsTo(await look.browser.post('/auth/signin/fake'))).toBe('/auth/signin?error=MissingCSRF');
  });

  it('raw? | framework-author marker: returns the internal response', async () => {
    const { Auth } = await import('../../src/auth.ts');
    const request = new Request('http://localhost:3000/auth/session');
    expect(await Auth(request, { ...site().config, raw })).not.toBeInstanceOf(Response);
  });
});

describe('application configuration: session', () => {
  it('strategy | `jwt` or `database`', async () => {
    expectTypeOf<NonNullable<SessionOptions['strategy']>>().toEqualTypeOf<'jwt' | 'database'>();
    const app = storeSite({ session: { strategy: 'jwt' } });
    await app.enter();
    expect(await claims(app)).toMatchObject({ name: 'Ada Lovelace' });
    expect((await site({ session: { strategy: 'redis' as never } }).browser.get('/auth/session')).status).toBe(500);
  });

  it('maxAge | seconds', async () => {
    const app = oidcSite({ session: { maxAge: 60 } });
    await app.enter();
    expect((await app.session())?.expires).toBe(new Date(app.clock.now().getTime() + 60_000).toISOString());
    app.clock.advance(61);
    expect(await app.session()).toBeNull();
  });

  it('updateAge | seconds; `0` updates every time', async () => {
    const app = storeSite({ session: { updateAge: 0 } });
    await app.enter();
    app.clock.advance(1);
    await app.session();
    expect(app.methods().at(-1)).toBe('updateSession');
  });

  it('generateSessionToken | function returning string', async () => {
    const app = storeSite({ session: { generateSessionToken: () => 'mine' } });
    await app.enter();
    expect([...app.adapter.store.sessions.keys()]).toEqual(['mine']);
  });
});

describe('application configuration: jwt', () => {
  it('maxAge | seconds', async () => {
    const app = oidcSite({ jwt: { maxAge: 60 } });
    await app.enter();
    const { exp = 0, iat = 0 } = (await claims(app)) ?? {};
    expect(exp - iat).toBe(60);
  });

  it('encode(params), decode(params) | token?, secret, salt, maxAge?', async () => {
    const seen: object[] = [];
    const app = oidcSite({
      jwt: {
        encode: (params) => `mine.${seen.push(params)}`,
        decode: ({ token, ...params }) => (seen.push(params) ? { name: `read from ${token}` } : null),
      },
    });
    await app.enter();
    expect(app.browser.cookies.get(SESSION)?.value).toBe('mine.1');
    expect(await app.session()).toMatchObject({ user: { name: 'read from mine.1' } });
    const token = expect.objectContaining({ name: 'Ada Lovelace' });
    expect(seen[0]).toEqual({ token, secret: SECRET, salt: SESSION, maxAge: 2_592_000 });
    expect(seen[1]).toEqual({ secret: SECRET, salt: SESSION });
  });
});

describe('application configuration: pages', () => {
  const pages = { signIn: '/in', signOut: '/out', error: '/oops', verifyRequest: '/mail', newUser: '/welcome' };

  it.each([
    ['signIn (default `/signin`)', 'signin', '/in?callbackUrl=http%3A%2F%2Flocalhost%3A3000'],
    ['signOut', 'signout', '/out'],
    ['error (default `/error`)', 'error?error=AccessDenied', '/oops?error=AccessDenied'],
    ['verifyRequest', 'verify-request', '/mail'],
  ])('%s | custom pages override the built-in ones', async (_, action, custom) => {
    expectTypeOf<keyof PagesOptions>().toEqualTypeOf<keyof typeof pages>();
    expect((await site().browser.get(`/auth/${action}`)).headers.get('content-type')).toMatch('text/html');
    expect((await site({ pages }).browser.get(`/auth/${action}`)).location).toBe(custom);
  });

  it('newUser | new users are directed there on first sign-in', async () => {
    const app = storeSite({ pages });
    expect(leadsTo(await app.enter())).toMatch(/^\/welcome\?callbackUrl=/);
    expect(leadsTo(await app.enter())).toBe('/');
  });
});

describe('application configuration: theme and cookies', () => {
  it('theme | brandColor?, buttonText?, logo?, colorScheme? (`auto`, `dark`, `light`)', async () => {
    expectTypeOf<NonNullable<Theme['colorScheme']>>().toEqualTypeOf<'auto' | 'dark' | 'light'>();
    const theme = { brandColor: '#abcdef', buttonText: '#101010', logo: 'https://logo.test/a.png' };
    const page = (await site({ theme: { ...theme, colorScheme: 'dark' } }).browser.get('/auth/signin')).text();
    for (const part of ['--brand-color:#abcdef', '--button-text-color:#101010', 'src="https://logo.test/a.png"'])
      expect(page).toContain(part);
    expect(page).toContain('data-color-scheme="dark"');
    expect((await site().browser.get('/auth/signin')).text()).toContain('data-color-scheme="auto"');
  });

  const keys = ['callbackUrl', 'csrfToken', 'nonce', 'pkceCodeVerifier', 'sessionToken', 'state'] as const;

  it.each(keys)('cookies.%s | partial `{name, options}`', async (key) => {
    expectTypeOf<keyof CookiesOptions>().toEqualTypeOf<(typeof keys)[number] | 'webauthnChallenge'>();
    const cookies = { [key]: { name: `my-${key}`, options: { sameSite: 'strict' } } } as AuthConfig['cookies'];
    const app = oidcSite({ cookies }, { checks: ['pkce', 'state', 'nonce'] });
    await app.begin('fake', { callbackUrl: '/x' });
    const idle = credentialsSite(undefined, { cookies });
    await idle.enter();
    const set = [...app.browser.history, ...idle.browser.history].flatMap((page) => page.cookie(`my-${key}`) ?? []);
    expect(set[0]).toMatchObject({ sameSite: 'Strict', httpOnly: true });
    expect(sessionCookies(idle.browser)).toHaveLength(key === 'sessionToken' ? 0 : 1);
  });
});

import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import Passkey from '../../src/providers/passkey.ts';
import type { AuthConfig } from '../../src/types.ts';
import { doors } from './doors.ts';
import { fakeProvider, leadsTo, oauth, oidc, scene, startsSession } from './scene.ts';
import { memoryStore } from './store.ts';

const fake = fakeProvider();
const email = {
  id: 'email',
  name: 'Email',
  type: 'email' as const,
  sendVerificationRequest: () => undefined,
};
const passkey = Passkey();
const { adapter } = memoryStore();
const webauthn = { experimental: { enableWebAuthn: true } };

/** What is wrong, what the log calls it, and a word of the remedy. */
const problems: [what: string, config: object, type: string, remedy: RegExp][] = [
  ['the host is not trusted', { trustHost: undefined }, 'UntrustedHost', /AUTH_URL.*AUTH_TRUST_HOST/],
  ['the host is trusted as text', { trustHost: 'false' }, 'UntrustedHost', /trustHost: true/],
  ['there is no secret', { secret: undefined }, 'MissingSecret', /AUTH_SECRET/],
  ['the secret is empty', { secret: '' }, 'MissingSecret', /openssl rand/],
  ['the list of secrets is empty', { secret: [] }, 'MissingSecret', /32 random/],
  ['providers is no list', { providers: {} }, 'AuthError', /`\[\]`/],
  ['a provider is text', { providers: ['github'] }, 'AuthError', /provider object/],
  ['a provider is null', { providers: [null] }, 'AuthError', /provider object/],
  [
    'the redirect proxy is a path',
    { redirectProxyUrl: '/api/auth' },
    'InvalidEndpoints',
    /`redirectProxyUrl` is no absolute URL\. \w/,
  ],
  [
    'the redirect proxy of a provider has no scheme',
    { providers: [oidc(fake, { redirectProxyUrl: 'app.example/auth' })] },
    'InvalidEndpoints',
    /"fake".*`redirectProxyUrl` is no absolute URL\. \w/,
  ],
  ['two providers have one id', { providers: [oidc(fake), oidc(fake)] }, 'AuthError', /another `id`/],
  ['a provider id is a path', { providers: [oidc(fake, { id: 'a/b' })] }, 'AuthError', /Use letters/],
  ['a provider has no type', { providers: [{ id: 'x', name: 'X' }] }, 'AuthError', /"oidc", "oauth"/],
  [
    'a plain provider has no endpoints',
    { providers: [oauth(fake, { token: undefined, userinfo: undefined })] },
    'InvalidEndpoints',
    /missing: token, userinfo.*AUTH_PLAIN_ISSUER/,
  ],
  [
    'an OpenID provider has no issuer',
    { providers: [oidc(fake, { issuer: undefined })] },
    'InvalidEndpoints',
    /AUTH_FAKE_ISSUER/,
  ],
  [
    'an OpenID provider has endpoints but no issuer',
    {
      providers: [
        oidc(fake, {
          issuer: undefined,
          authorization: 'https://a.test',
          token: 'https://a.test',
          userinfo: 'https://a.test',
        }),
      ],
    },
    'InvalidEndpoints',
    /cannot be checked.*AUTH_FAKE_ISSUER/,
  ],
  [
    'an issuer is http',
    { providers: [oidc(fake, { issuer: 'http://idp.test' })] },
    'InvalidEndpoints',
    /allowInsecureIssuer/,
  ],
  [
    'an endpoint is javascript',
    { providers: [oauth(fake, { authorization: 'javascript:alert(1)' })] },
    'InvalidEndpoints',
    /https/,
  ],
  ['an endpoint is no address', { providers: [oauth(fake, { token: 'token' })] }, 'InvalidEndpoints', /https/],
  [
    'credentials lack authorize',
    { providers: [{ id: 'c', name: 'C', type: 'credentials' }] },
    'MissingAuthorize',
    /Add the function/,
  ],
  [
    'a factory needs options',
    { providers: [(options: { x: { y: 1 } }) => ({ id: options.x.y })] },
    'AuthError',
    /with the options/,
  ],
  ['the strategy is unknown', { session: { strategy: 'redis' } }, 'UnsupportedStrategy', /"jwt" or "database"/],
  ['database sessions lack an adapter', { session: { strategy: 'database' } }, 'MissingAdapter', /strategy: "jwt"/],
  ['email lacks an adapter', { providers: [email] }, 'MissingAdapter', /Add an `adapter`/],
  ['passkeys lack an adapter', { providers: [passkey], ...webauthn }, 'MissingAdapter', /Add an `adapter`/],
  [
    'the adapter lacks methods',
    { adapter: { getUser: () => null } },
    'MissingAdapterMethods',
    /createUser.*deleteSession/,
  ],
  [
    'passkeys are not switched on',
    { providers: [passkey], adapter },
    'ExperimentalFeatureNotEnabled',
    /enableWebAuthn: true/,
  ],
  [
    'two passkey providers want the autofill',
    { providers: [passkey, { ...passkey, id: 'p2' }], adapter, ...webauthn },
    'DuplicateConditionalUI',
    /`false` for all but one/,
  ],
  [
    'the autofill has no field',
    { providers: [{ ...passkey, formFields: {} }], adapter, ...webauthn },
    'MissingWebAuthnAutocomplete',
    /Add it to one/,
  ],
  ['a time is text', { session: { maxAge: '1d' } }, 'AuthError', /session\.maxAge.*number/],
  ['a time is negative', { jwt: { maxAge: -1 } }, 'AuthError', /jwt\.maxAge.*number/],
  [
    'a __Host- cookie has a Domain, and whether the site is secure is left open with null',
    { useSecureCookies: null, cookies: { csrfToken: { options: { domain: 'x.test' } } } },
    'AuthError',
    /Remove options\.domain/,
  ],
  [
    'a __Host- cookie has a Domain',
    { cookies: { csrfToken: { options: { domain: 'x.test' } } } },
    'AuthError',
    /__Secure-/,
  ],
  [
    'two cookies have one name',
    { cookies: { state: { name: 'n' }, nonce: { name: 'n' } } },
    'AuthError',
    /name of its own/,
  ],
];

describe.each(doors)('a wrong configuration through $name', (door) => {
  it.each(problems)('is told by the log with its remedy when %s', async (_, config, type, remedy) => {
    const app = scene(door, config as Partial<AuthConfig>);
    const page = await app.browser.get('/auth/csrf');
    expect(page.status).toBe(500);
    expect(app.log.types()).toContain(type);
    expect(app.log.errors.map(({ message }) => message).join('\n')).toMatch(remedy);
    expect(page.setCookies).toEqual([]);
  });

  const wrong: Partial<AuthConfig> = {
    trustHost: undefined,
    secret: undefined,
    providers: [oidc(fake, { issuer: undefined }), Credentials({ authorize: null as never })],
  };

  it('is told whole, once, under one reference, which is all that a client learns', async () => {
    const app = scene(door, wrong);
    for (let count = 0; count < 3; count++) {
      const page = await app.browser.get('/auth/csrf');
      expect(page.status).toBe(500);
      expect(page.headers.get('cache-control')).toBe('private, no-store');
      const body = page.json<{ message: string; reference: string }>();
      expect(body.message).toContain(body.reference);
      expect(page.text()).not.toMatch(/secret|issuer|authorize/i);
      expect(app.log.errors.map(({ cause }) => cause?.reference)).toEqual(
        Array.from({ length: 4 }, () => body.reference),
      );
    }
    expect(app.log.types()).toEqual(['UntrustedHost', 'MissingSecret', 'InvalidEndpoints', 'MissingAuthorize']);
  });

  it.each(['signin', 'signout', 'error', 'verify-request'])(
    'shows the error page at %s, without a cookie',
    async (path) => {
      const app = scene(door, wrong);
      const page = await app.browser.get(`/auth/${path}`);
      expect(page.status).toBe(500);
      expect(page.headers.get('content-type')).toContain('text/html');
      expect(page.text()).toContain(String(app.log.errors[0]?.cause?.reference));
      expect(page.text()).not.toContain('AUTH_SECRET');
      expect(page.setCookies).toEqual([]);
    },
  );

  it('answers posts with JSON, does nothing, and makes no session', async () => {
    const app = scene(door, wrong);
    for (const path of ['signin', 'signin/fake', 'signout', 'session', 'callback/credentials']) {
      const page = await app.browser.post(`/auth/${path}`, {});
      expect(page.status).toBe(500);
      expect(page.setCookies).toEqual([]);
    }
  });

  it('is shown on the page in development', async () => {
    const app = scene(door, wrong, { call: { development: true } });
    const text = (await app.browser.get('/auth/signin')).text();
    for (const word of ['AUTH_TRUST_HOST', 'AUTH_SECRET', 'AUTH_FAKE_ISSUER', 'authorize'])
      expect(text).toContain(word);
  });

  it("leads to the application's own error page", async () => {
    const app = scene(door, { ...wrong, pages: { error: '/oops?x=1' } });
    const page = await app.browser.get('/auth/signin');
    expect(leadsTo(page)).toMatch(/^\/oops\?x=1&error=Configuration/);
    expect(page.setCookies).toEqual([]);
  });

  it.each(['/oops', 'http://localhost:3000/oops?y'])('does not lead in a circle from %s', async (callbackUrl) => {
    const app = scene(door, { ...wrong, pages: { error: '/oops' } });
    const page = await app.browser.get(`/auth/signin?${new URLSearchParams({ callbackUrl })}`);
    expect(page.status).toBe(500);
    expect(page.redirect).toBeUndefined();
    expect(app.log.types()).toContain('ErrorPageLoop');
  });

  it('of the providers does not hinder reading a session', async () => {
    const app = scene(door, { providers: [oidc(fake, { issuer: undefined })] });
    expect((await app.browser.get('/auth/session')).status).toBe(200);
    expect(app.log.errors).toEqual([]);
    expect((await app.browser.get('/auth/providers')).status).toBe(500);
  });

  it('of the providers hinders it no more where there is much else to look at', async () => {
    const app = scene(door, {
      providers: [oidc(fake, { issuer: undefined })],
      cookies: { sessionToken: { name: 'sid', options: {} } },
      redirectProxyUrl: 'https://preview.example/auth',
    });
    for (const status of [200, 200]) expect((await app.browser.get('/auth/session')).status).toBe(status);
    expect(app.log.errors).toEqual([]);
    expect((await app.browser.get('/auth/providers')).status).toBe(500);
  });

  it.each([
    ['a cookie', { cookies: { sessionToken: { name: '__Host-sid', options: { path: '/auth' } } } }, 'AuthError'],
    ['the redirect proxy', { redirectProxyUrl: '/auth' }, 'InvalidEndpoints'],
    ['a time', { session: { maxAge: -1 } }, 'AuthError'],
  ])('of %s hinders reading a session', async (_, config, type) => {
    const app = scene(door, { providers: [oidc(fake)], ...config });
    expect((await app.browser.get('/auth/session')).status).toBe(500);
    expect(app.log.types()).toContain(type);
  });

  it('works from the request on with which it is mended', async () => {
    const app = scene(door, { providers: [oidc(fake)], secret: undefined });
    expect((await app.browser.get('/auth/csrf')).status).toBe(500);
    app.config.secret = 'a-secret-that-was-forgotten-at-first-32';
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });
});

import { decodeProtectedHeader } from 'jose';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { Auth } from '../../src/auth.ts';
import Auth0 from '../../src/providers/auth0.ts';
import Credentials from '../../src/providers/credentials.ts';
import Email from '../../src/providers/email.ts';
import GitHub from '../../src/providers/github.ts';
import Google from '../../src/providers/google.ts';
import type { ProviderType } from '../../src/providers/index.ts';
import Keycloak from '../../src/providers/keycloak.ts';
import Nodemailer from '../../src/providers/nodemailer.ts';
import { raw } from '../../src/symbols.ts';
import type { AuthConfig, ResponseInternal } from '../../src/types.ts';
import { fakeProvider, oauth, oidc, sessionCookies, startsSession } from '../flows/scene.ts';
import { credentialsSite, mailSite, oidcSite, SESSION, site, storeSite } from './site.ts';

const request = (path: string): Request => new Request(`http://localhost:3000/auth/${path}`);

describe('what the service does', () => {
  it('signs end users in and out and keeps their sign-in state as a session', async () => {
    const app = oidcSite();
    expect(await app.session()).toBeNull();
    await app.enter();
    expect(await app.session()).toMatchObject({ user: { name: 'Ada Lovelace' } });
    await app.post('signout');
    expect(await app.session()).toBeNull();
  });

  it('Auth(request, config) takes a web-standard Request and returns a web-standard Response', async () => {
    const answer = await Auth(request('session'), site().config);
    expect(answer).toBeInstanceOf(Response);
    expect([answer.status, await answer.json()]).toEqual([200, null]);
  });

  it('with `raw` it returns an internal response object: body, cookies, headers, redirect, status', async () => {
    const config = { ...site({ providers: [oidc(fakeProvider())] }).config, raw } as AuthConfig & { raw: typeof raw };
    const csrf = await Auth(request('csrf'), config);
    expect(csrf).toMatchObject({ body: { csrfToken: expect.any(String) }, cookies: expect.any(Array) });
    expect(csrf.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(await Auth(request('signin/fake'), config)).toMatchObject({
      redirect: 'http://localhost:3000/auth/signin',
    });
    expect(await Auth(request('error?error=AccessDenied'), config)).toMatchObject({ status: 403 });
    expectTypeOf<keyof ResponseInternal>().toEqualTypeOf<'body' | 'cookies' | 'headers' | 'redirect' | 'status'>();
  });
});

describe('provider types', () => {
  it('ProviderType: oidc, oauth, email, credentials, webauthn', () => {
    expectTypeOf<ProviderType>().toEqualTypeOf<'oidc' | 'oauth' | 'email' | 'credentials' | 'webauthn'>();
  });

  it('oidc', async () => {
    const app = oidcSite();
    expect(startsSession(await app.enter())).toBe(true);
  });

  it('oauth', async () => {
    const fake = fakeProvider({ oidc: false });
    const app = site({ providers: [oauth(fake)] });
    expect(startsSession(await app.signIn(fake, { id: 'plain' }))).toBe(true);
  });

  it('email', async () => {
    const app = mailSite();
    expect(startsSession(await app.open(await app.link('ada@example.com')))).toBe(true);
  });

  it('credentials', async () => {
    expect(startsSession(await credentialsSite().enter())).toBe(true);
  });

  it('built-in providers are identified by lowercase, hyphenated ids, `credentials` and email-sending ones among them', () => {
    const server = 'smtp://localhost';
    const providers = [
      Auth0(),
      GitHub(),
      Google(),
      Keycloak(),
      Credentials({}),
      Email({ server }),
      Nodemailer({ server }),
    ];
    const ids = providers.map(({ id }) => id);
    expect(ids).toEqual(['auth0', 'github', 'google', 'keycloak', 'credentials', 'email', 'nodemailer']);
    for (const id of ids) expect(id).toMatch(/^[a-z\d]+(-[a-z\d]+)*$/);
  });

  it('any provider can also be supplied as a custom configuration object', async () => {
    const app = oidcSite({}, { id: 'my-own', name: 'My own' });
    expect((await app.browser.get('/auth/signin')).text()).toContain('My own');
    expect(startsSession(await app.signIn(app.fake, { id: 'my-own' }))).toBe(true);
  });
});

describe('session strategies', () => {
  it('jwt is the default when no adapter is configured: an encrypted token (JWE) is in the session cookie', async () => {
    const app = oidcSite();
    await app.enter();
    const cookie = app.browser.cookies.get(SESSION)?.value ?? '';
    expect(cookie.split('.')).toHaveLength(5);
    expect(decodeProtectedHeader(cookie)).toEqual(expect.objectContaining({ enc: 'A256CBC-HS512' }));
  });

  it('database is the default when an adapter is configured: only a `sessionToken` is in the cookie', async () => {
    const app = storeSite();
    await app.enter();
    const [row] = app.adapter.store.sessions.values();
    expect(app.browser.cookies.get(SESSION)?.value).toBe(row?.sessionToken);
    expect(await app.session()).toMatchObject({ user: { name: 'Ada Lovelace' } });
    expect(app.methods()).toContain('getSessionAndUser');
  });

  it('either can be chosen', async () => {
    const jwt = storeSite({ session: { strategy: 'jwt' } });
    await jwt.enter();
    expect(jwt.adapter.store.sessions.size).toBe(0);
    const database = storeSite({ session: { strategy: 'database' } });
    await database.enter();
    expect(database.adapter.store.sessions.size).toBe(1);
  });
});

describe('the adapter', () => {
  it('creates users, links accounts, and handles sessions', async () => {
    const app = storeSite();
    await app.enter();
    const { users, accounts, sessions } = app.adapter.store;
    expect([users.size, accounts.size, sessions.size]).toEqual([1, 1, 1]);
  });

  it('handles verification tokens', async () => {
    const app = mailSite();
    await app.ask('ada@example.com');
    expect(app.store.tokens.size).toBe(1);
  });

  it('supports passwordless login across devices', async () => {
    const app = mailSite();
    const link = await app.link('ada@example.com');
    const phone = app.visitor();
    expect(startsSession(await app.open(link, phone))).toBe(true);
    expect(sessionCookies(app.browser)).toEqual([]);
  });
});

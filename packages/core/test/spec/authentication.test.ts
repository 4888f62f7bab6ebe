import { decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { CredentialsSignin } from '../../src/errors.ts';
import { decode, encode } from '../../src/jwt.ts';
import { skipCSRFCheck } from '../../src/symbols.ts';
import { asked, expectRefused, leadsTo, SECRET, startsSession } from '../flows/scene.ts';
import { claims, credentialsSite, mailSite, oidcSite, SESSION, site, storeSite, update } from './site.ts';

describe('end users are authenticated by provider type', () => {
  it('oauth and oidc | authorization-code flow, started by sending the user to the `authorization` address', async () => {
    const app = oidcSite();
    const started = await app.begin();
    expect(started.location).toMatch(`${app.fake.endpoints.authorization}?`);
    expect(asked(started)).toMatchObject({ response_type: 'code', client_id: 'client' });
  });

  it('oauth and oidc | the `callback` action receives the result', async () => {
    const app = oidcSite();
    const back = await app.fake.authorize((await app.begin()).location ?? '');
    expect(back).toMatch('http://localhost:3000/auth/callback/fake?');
    expect(startsSession(await app.finish(back))).toBe(true);
    expect(app.fake.requestsTo('token')[0]?.form.get('code')).toBe(new URL(back).searchParams.get('code'));
  });

  it("oauth and oidc | the provider's tokens are stored on the account", async () => {
    const app = storeSite();
    await app.enter();
    const [account] = app.adapter.store.accounts.values();
    expect(account).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) });
  });

  it('email | a verification token is mailed as a link; using it signs the user in', async () => {
    const app = mailSite();
    const link = await app.link('ada@example.com');
    expect(link).toMatch('http://localhost:3000/auth/callback/mail?');
    expect(new URL(link).searchParams.get('token')).toBe(app.sent[0]?.token);
    expect(startsSession(await app.open(link))).toBe(true);
  });

  it('credentials | the `authorize()` callback decides, and returns a user whose `id` becomes `providerAccountId`', async () => {
    const app = credentialsSite(({ name }) => (name === 'Ada' ? { id: '7', name: 'Ada' } : null));
    expectRefused(app, await app.post('callback/credentials', { name: 'Eve' }), 'CredentialsSignin&code=credentials');
    await app.enter();
    expect(app.told).toMatchObject([['signIn', { account: { providerAccountId: '7' } }]]);
  });

  it('credentials | throwing `CredentialsSignin`: the sign-in page with `error=CredentialsSignin&code=credentials`', async () => {
    const app = credentialsSite(() => {
      throw new CredentialsSignin();
    });
    expectRefused(app, await app.enter(), 'CredentialsSignin&code=credentials');
  });
});

describe('state-changing actions require CSRF protection', () => {
  it.each(['signin/fake', 'signout', 'callback/credentials'])('%s | refused without `csrfToken`', async (action) => {
    const app = action.includes('credentials') ? credentialsSite() : oidcSite();
    expect(leadsTo(await app.browser.post(`/auth/${action}`, { name: 'Ada' }))).toBe('/auth/signin?error=MissingCSRF');
    expect(leadsTo(await app.post(action, { name: 'Ada' }))).not.toMatch('MissingCSRF');
  });

  it('session | refused without `csrfToken`', async () => {
    const app = oidcSite();
    await app.enter();
    expect((await app.browser.post('/auth/session', { data: {} }, { json: true })).status).toBe(400);
    expect((await update(app, {})).status).toBe(200);
  });

  it('the client sends the `csrfToken` obtained from the `csrf` action in the request body', async () => {
    const app = oidcSite();
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const inQuery = await app.browser.post(`/auth/signout?csrfToken=${csrfToken}`);
    expect(leadsTo(inQuery)).toBe('/auth/signin?error=MissingCSRF');
    expect(leadsTo(await app.browser.post('/auth/signout', { csrfToken }))).toBe('/');
  });

  it('the protection can be disabled only through `skipCSRFCheck`', async () => {
    expect(leadsTo(await oidcSite({ skipCSRFCheck }).browser.post('/auth/signout'))).toBe('/');
  });
});

describe('tokens and secrets', () => {
  it('the session cookie holds an encrypted token (jwt strategy), or only the `sessionToken` (database strategy)', async () => {
    const jwt = oidcSite();
    await jwt.enter();
    expect(jwt.browser.cookies.get(SESSION)?.value).not.toContain('Ada');
    expect(await claims(jwt)).toMatchObject({ name: 'Ada Lovelace' });
    const database = storeSite();
    await database.enter();
    expect([...database.adapter.store.sessions.keys()]).toEqual([database.browser.cookies.get(SESSION)?.value]);
  });

  it('tokens are encrypted (JWE) with algorithm A256CBC-HS512', async () => {
    const token = await encode({ token: {}, secret: SECRET, salt: SESSION });
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'dir', enc: 'A256CBC-HS512' });
  });

  it('with the key derived from the secret and a salt', async () => {
    const token = await encode({ token: {}, secret: SECRET, salt: SESSION });
    await expect(decode({ token, secret: `${SECRET}!`, salt: SESSION })).rejects.toThrow();
    await expect(decode({ token, secret: SECRET, salt: `${SESSION}!` })).rejects.toThrow();
  });

  it('secrets | a single string or a list (rotation, newest first)', async () => {
    const old = await encode({ token: { sub: 'u1' }, secret: 'old', salt: 'x' });
    expect(await decode({ token: old, secret: ['new', 'old'], salt: 'x' })).toMatchObject({ sub: 'u1' });
    const token = await encode({ token: { sub: 'u1' }, secret: ['new', 'old'], salt: 'x' });
    expect(await decode({ token, secret: 'new', salt: 'x' })).toMatchObject({ sub: 'u1' });
  });
});

describe('cookies and host', () => {
  it('all cookies are restricted to HTTPS when `useSecureCookies` is true (default for HTTPS URLs)', async () => {
    const app = oidcSite({}, { checks: ['pkce', 'state', 'nonce'] }, { origin: 'https://app.test' });
    await app.begin('fake', { callbackUrl: '/x' });
    await app.enter();
    const set = app.browser.history.flatMap((page) => [...page.setCookies]);
    expect(new Set(set.map(({ name }) => name.replace(/^__(Secure|Host)-authjs\./, ''))).size).toBe(6);
    for (const cookie of set) expect([cookie.secure, /^__(Secure|Host)-/.test(cookie.name)]).toEqual([true, true]);
  });

  it('the host header of the incoming request is trusted only when `trustHost` is true', async () => {
    expect((await site({ trustHost: false }).browser.get('/auth/providers')).status).toBe(500);
    expect((await site({ trustHost: true }).browser.get('/auth/providers')).status).toBe(200);
  });
});

import { memoryAdapter } from '@latchkey/testing';
import type { OidcProvider } from '@latchkey/testing/oidc-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { application, checkCookies, cookieNames, idp, origin, sessionCookie, startProvider } from './scene.ts';

let provider: OidcProvider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

const ada = () => ({
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  image: `${provider.issuer}/avatar/user-ada.svg`,
});

describe('a visitor with a real OpenID provider', () => {
  it('signs in, sees the session, updates it and signs out', async () => {
    const events: string[] = [];
    const app = application(idp(provider.issuer, { checks: ['pkce', 'state', 'nonce'] }), {
      config: {
        callbacks: {
          jwt: ({ token, trigger, session }) =>
            trigger === 'update' ? { ...token, name: (session as { name: string }).name } : token,
        },
        events: {
          signIn: ({ user, profile }) => void events.push(`signIn ${user.email} ${profile?.sub}`),
          signOut: (message) => void events.push(`signOut ${'token' in message && message.token?.email}`),
        },
      },
    });
    const landed = await app.signIn();
    expect(landed.location).toBe(`${origin}/inside`);
    expect(await app.session()).toMatchObject({ user: ada() });
    expect(cookieNames(app)).toEqual(['authjs.callback-url', 'authjs.csrf-token', sessionCookie]);

    const csrfToken = await app.csrfToken();
    const updated = await app.browser.post('/auth/session', { csrfToken, data: { name: 'Countess' } }, { json: true });
    expect(updated.json()).toMatchObject({ user: { name: 'Countess', email: 'ada@example.com' } });
    expect(await app.session()).toMatchObject({ user: { name: 'Countess' } });

    const out = await app.browser.post('/auth/signout', { csrfToken, callbackUrl: '/bye' });
    expect(out.location).toBe(`${origin}/bye`);
    expect(await app.session()).toBeNull();
    expect(cookieNames(app)).not.toContain(sessionCookie);
    expect(events).toEqual(['signIn ada@example.com user-ada', 'signOut ada@example.com']);
    expect(app.log).toEqual([]);
    expect(app.browser.rejected).toEqual([]);
  });

  it.each([[['pkce']], [['state']], [['nonce']], [['pkce', 'state']], [['none']]] as const)(
    'signs in with the checks %s',
    async (checks) => {
      const app = application(idp(provider.issuer, { checks: [...checks] }));
      expect((await app.signIn('grace')).location).toBe(`${origin}/inside`);
      expect(await app.session()).toMatchObject({ user: { name: 'Grace Hopper' } });
    },
  );

  it('signs in through the pages and forms alone, as without scripts', async () => {
    const app = application(idp(provider.issuer));
    const page = await app.browser.get('/auth/signin?callbackUrl=/deep/inside');
    const redirect = await app.browser.submit(app.browser.form(page));
    expect((await app.comeBack(await app.consent(redirect))).location).toBe(`${origin}/deep/inside`);
    const leave = app.browser.form(await app.browser.get('/auth/signout'));
    await app.browser.submit(leave);
    expect(await app.session()).toBeNull();
  });

  it('is known at the provider the second time, and gets a session that is not the first one', async () => {
    const app = application(idp(provider.issuer));
    await app.signIn();
    const first = app.browser.cookies.get(sessionCookie)?.value;
    const before = app.browser.history.length;
    await app.signIn();
    expect(app.browser.history.slice(before).some((page) => page.text().includes('Password'))).toBe(false);
    expect(app.browser.cookies.get(sessionCookie)?.value).not.toBe(first);
  });

  it('finishes two sign-ins that were started in two tabs', async () => {
    const app = application(idp(provider.issuer, { checks: ['pkce', 'state', 'nonce'] }));
    const one = await app.begin({ callbackUrl: '/one' });
    const two = await app.begin({ callbackUrl: '/two' });
    const callbacks = [await app.consent(two), await app.consent(one)];
    expect((await app.comeBack(callbacks[1] ?? '')).location).toBe(`${origin}/one`);
    expect((await app.comeBack(callbacks[0] ?? '')).location).toBe(`${origin}/two`);
    expect(cookieNames(app)).not.toEqual(expect.arrayContaining(checkCookies));
    expect(app.log).toEqual([]);
  });

  it('reads on the sign-in page that the sign-in was canceled, and may try again', async () => {
    const app = application(idp(provider.issuer, { checks: ['pkce', 'state', 'nonce'] }));
    const back = await app.signIn('cancel');
    expect(back.location).toBe(`${origin}/auth/signin?error=OAuthCallbackError&provider=idp&reason=cancelled`);
    const page = await app.browser.follow(back);
    expect(page.status).toBe(200);
    expect(await app.session()).toBeNull();
    for (const name of checkCookies) expect(cookieNames(app)).not.toContain(name);
    expect(app.log).toEqual([]);
    const again = await app.browser.submit(app.browser.form(page));
    expect((await app.comeBack(await app.consent(again))).status).toBe(302);
    expect(await app.session()).toMatchObject({ user: ada() });
  });

  it('asks the provider with the parameters of the request and of the configuration', async () => {
    const app = application(idp(provider.issuer, { authorization: { params: { scope: 'openid email' } } }));
    const csrfToken = await app.csrfToken();
    const redirect = await app.browser.post('/auth/signin/idp?login_hint=grace&prompt=login', { csrfToken });
    const login = await app.browser.follow(redirect, { until: 'page' });
    expect(login.text()).toContain('value="grace"');
    await app.comeBack(await app.consent(redirect, 'grace'));
    const session = await app.session();
    expect(session).toMatchObject({ user: { email: 'grace@example.com' } });
    expect(session?.user?.name).toBeUndefined();
  });

  it.each([true, false])('gets claims that only the userinfo endpoint has, with `idToken: %j`', async (idToken) => {
    const lean = await startProvider({}, { claimsInIdToken: false });
    try {
      const app = application(idp(lean.issuer, { idToken }));
      await app.signIn();
      expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    } finally {
      await lean.close();
    }
  });

  it('keeps the tokens of the provider where the application asks for them', async () => {
    const app = application(idp(provider.issuer), {
      config: {
        callbacks: {
          jwt: ({ token, account }) =>
            account ? { ...token, provider: { access: account.access_token, expires: account.expires_at } } : token,
          session: ({ session, token }) => ({ ...session, provider: token.provider }),
        },
      },
    });
    await app.signIn();
    const { provider: kept } = (await app.session()) as unknown as { provider: { access: string; expires: number } };
    const me = await fetch(`${provider.issuer}/me`, { headers: { authorization: `Bearer ${kept.access}` } });
    expect(await me.json()).toMatchObject({ sub: 'user-ada' });
    expect(kept.expires).toBeGreaterThan(Date.now() / 1000);
  });
});

describe('a visitor whom the application stores', () => {
  it('becomes a user with an account at the first sign-in, and is found at the next', async () => {
    const adapter = memoryAdapter();
    const app = application(idp(provider.issuer), { config: { adapter } });
    expect((await app.signIn()).location).toBe(`${origin}/inside`);
    await app.browser.post('/auth/signout', { csrfToken: await app.csrfToken() });
    await app.signIn();
    expect(await app.session()).toMatchObject({ user: { name: 'Ada Lovelace', email: 'ada@example.com' } });
    const { users, accounts, sessions } = adapter.dump();
    expect(users).toMatchObject([{ email: 'ada@example.com', emailVerified: null }]);
    expect(accounts).toMatchObject([{ provider: 'idp', providerAccountId: 'user-ada', type: 'oidc' }]);
    expect(sessions).toHaveLength(1);
  });

  it('needs an address that the provider has verified; without a store, the visitor signs in without it', async () => {
    const app = application(idp(provider.issuer), { config: { adapter: memoryAdapter() } });
    const refusal = 'error=OAuthCreateAccount&provider=idp&reason=unverified';
    expect((await app.signIn('kim')).location).toBe(`${origin}/auth/signin?${refusal}`);
    const storeless = application(idp(provider.issuer));
    expect((await storeless.signIn('kim')).location).toBe(`${origin}/inside`);
    expect((await storeless.session())?.user?.email).toBeNull();
  });
});

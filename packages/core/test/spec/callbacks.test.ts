import { describe, expect, expectTypeOf, it } from 'vitest';
import type { JWT } from '../../src/jwt.ts';
import type { AuthConfig, CallbacksOptions, JWTCallbackParams, SignInCallbackParams } from '../../src/types.ts';
import { leadsTo, noting, sessionCookies, startsSession } from '../flows/scene.ts';
import { claims, credentialsSite, mailSite, oidcSite, site, storeSite, update } from './site.ts';

type Callbacks = NonNullable<AuthConfig['callbacks']>;

/** A configuration whose callback of that name notes what it gets. */
function noted(notes: unknown[], name: 'jwt' | 'session' | 'signIn'): { callbacks: Callbacks } {
  const results = {
    jwt: ({ token }: { token: unknown }) => token,
    session: ({ session }: { session: unknown }) => session,
    signIn: () => true,
  };
  const callback = (params: never): unknown => noting(notes, params, results[name](params));
  return { callbacks: { [name]: callback } as Callbacks };
}

describe('callback `jwt`', () => {
  it('at sign-in | `token`, `user`, `account`, `profile?`, `trigger`, `isNewUser?`', async () => {
    expectTypeOf<JWTCallbackParams['trigger']>().toEqualTypeOf<'signIn' | 'signUp' | 'update' | undefined>();
    const seen: JWTCallbackParams[] = [];
    await oidcSite(noted(seen, 'jwt')).enter();
    expect(seen).toEqual([
      {
        token: expect.objectContaining({ name: 'Ada Lovelace', sub: expect.any(String) }),
        user: expect.objectContaining({ email: 'ada@example.com' }),
        account: expect.objectContaining({ provider: 'fake', access_token: expect.any(String) }),
        profile: expect.objectContaining({ sub: 'ada-1815' }),
        trigger: 'signIn',
        isNewUser: undefined,
      },
    ]);
  });

  it('`signUp` | a new user', async () => {
    const seen: JWTCallbackParams[] = [];
    await storeSite({ session: { strategy: 'jwt' }, ...noted(seen, 'jwt') }).enter();
    expect(seen).toMatchObject([{ trigger: 'signUp', isNewUser: true }]);
  });

  it('user, account, profile exist only for `signIn` and `signUp`', async () => {
    const seen: JWTCallbackParams[] = [];
    const app = oidcSite(noted(seen, 'jwt'));
    await app.enter();
    await app.session();
    await update(app, {});
    for (const params of seen.slice(1)) {
      for (const member of ['user', 'account', 'profile']) expect(params).not.toHaveProperty(member);
    }
  });

  it('`update` | `session` holds client-sent data; it is saved only if the callback says so', async () => {
    const seen: JWTCallbackParams[] = [];
    const app = oidcSite(noted(seen, 'jwt'));
    await app.enter();
    await update(app, { name: 'Admin', sub: 'another' });
    expect(seen[1]).toMatchObject({ trigger: 'update', session: { name: 'Admin', sub: 'another' } });
    expect(await claims(app)).toMatchObject({ name: 'Ada Lovelace' });
  });

  it('what it returns is saved in the token and passed to `session`', async () => {
    const seen: { token: JWT }[] = [];
    const { callbacks } = noted(seen, 'session');
    const app = oidcSite({ callbacks: { ...callbacks, jwt: ({ token }) => ({ ...token, role: 'admin' }) } });
    await app.enter();
    await app.session();
    expect(await claims(app)).toMatchObject({ role: 'admin' });
    expect(seen[0]?.token).toMatchObject({ role: 'admin' });
  });

  it('null | no session', async () => {
    const app = oidcSite({ callbacks: { jwt: ({ token, trigger }) => (trigger === 'signIn' ? token : null) } });
    await app.enter();
    expect(await app.session()).toBeNull();
    expect(sessionCookies(app.browser)).toEqual([]);
  });
});

describe('callback `session`', () => {
  it('jwt strategy | `session`, `token`', async () => {
    const seen: object[] = [];
    const app = oidcSite(noted(seen, 'session'));
    await app.enter();
    await app.session();
    expect(seen).toEqual([
      { session: { user: expect.any(Object), expires: expect.any(String) }, token: expect.any(Object) },
    ]);
  });

  it('database strategy | `session`, `user`', async () => {
    const seen: object[] = [];
    const app = storeSite(noted(seen, 'session'));
    await app.enter();
    await app.session();
    const user = expect.objectContaining({ id: expect.any(String), email: 'ada@example.com' });
    expect(seen).toEqual([{ session: expect.objectContaining({ user }), user, newSession: undefined }]);
    expect(seen[0]).not.toHaveProperty('token');
  });

  it.each([
    ['jwt', oidcSite],
    ['database', storeSite],
  ])('`newSession` and `trigger: update` on update (%s strategy)', async (_, make) => {
    const seen: object[] = [];
    const app = make(noted(seen, 'session'));
    await app.enter();
    await update(app, { color: 'blue' });
    expect(seen).toMatchObject([{ newSession: { color: 'blue' }, trigger: 'update' }]);
    await app.session();
    expect(seen[1]).not.toHaveProperty('trigger');
  });

  it('called whenever a session is checked; the return value is exposed to the client', async () => {
    const app = oidcSite({ callbacks: { session: ({ token }) => ({ expires: 'soon', sub: token.sub }) } });
    await app.enter();
    expect(await app.session()).toEqual({ expires: 'soon', sub: expect.any(String) });
  });

  it('token data reaches the client only if returned here', async () => {
    const app = oidcSite({ callbacks: { jwt: ({ token }) => ({ ...token, hidden: 'yes' }) } });
    await app.enter();
    expect(JSON.stringify(await app.session())).not.toContain('hidden');
  });
});

describe('callback `signIn`', () => {
  it('`user`, `account`, `profile?` | OAuth', async () => {
    const seen: SignInCallbackParams[] = [];
    await oidcSite(noted(seen, 'signIn')).enter();
    expect(seen).toEqual([
      {
        user: expect.objectContaining({ email: 'ada@example.com' }),
        account: expect.objectContaining({ provider: 'fake', providerAccountId: 'ada-1815' }),
        profile: expect.objectContaining({ sub: 'ada-1815' }),
      },
    ]);
  });

  it('`credentials?` | what was typed', async () => {
    const seen: SignInCallbackParams[] = [];
    await credentialsSite(undefined, noted(seen, 'signIn')).enter();
    expect(seen).toMatchObject([{ user: { id: '7' }, account: { type: 'credentials' }, credentials: { name: 'Ada' } }]);
  });

  it('`email.verificationRequest` | true when the link is requested, absent after it is clicked', async () => {
    const seen: SignInCallbackParams[] = [];
    const app = mailSite(noted(seen, 'signIn'));
    await app.open(await app.link('ada@example.com'));
    expect(seen.map(({ email }) => email)).toEqual([{ verificationRequest: true }, undefined]);
  });

  it('-> boolean or string; see states and transitions', () => {
    expectTypeOf<Awaited<ReturnType<CallbacksOptions['signIn']>>>().toEqualTypeOf<boolean | string>();
  });

  it('an unhandled error becomes `AccessDenied`', async () => {
    const app = oidcSite({ callbacks: { signIn: () => Promise.reject(new Error('the list is down')) } });
    const page = await app.enter();
    expect(leadsTo(page)).toBe('/auth/error?error=AccessDenied');
    expect(startsSession(page)).toBe(false);
    expect(app.log.types()).toEqual(['AccessDenied']);
  });
});

describe('callback `redirect`', () => {
  it('`url`, `baseUrl` -> string | called whenever the user is redirected to a callback URL', async () => {
    const seen: object[] = [];
    const app = oidcSite({ callbacks: { redirect: (params) => noting(seen, params, `${params.baseUrl}/mine`) } });
    expect((await app.post('signout', { callbackUrl: '/x' })).location).toBe('http://localhost:3000/mine');
    expect(seen).toContainEqual({ url: '/x', baseUrl: 'http://localhost:3000' });
  });

  it.each([
    ['/a path', 'http://localhost:3000/a%20path'],
    ['http://localhost:3000/deep?x=1', 'http://localhost:3000/deep?x=1'],
    ['https://evil.example/', 'http://localhost:3000'],
    ['//evil.example/', 'http://localhost:3000//evil.example/'],
  ])('by default only URLs on the same host as the origin are allowed: %s', async (callbackUrl, location) => {
    expect((await site().post('signout', { callbackUrl })).location).toBe(location);
  });
});

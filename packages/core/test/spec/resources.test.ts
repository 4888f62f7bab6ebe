import { describe, expect, expectTypeOf, it } from 'vitest';
import type {
  AdapterAccount,
  AdapterAccountType,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '../../src/adapters.ts';
import { sha256Hex } from '../../src/crypto/sha256-hex.ts';
import type { DefaultJWT } from '../../src/jwt.ts';
import type { ProviderType } from '../../src/providers/index.ts';
import type {
  Account,
  Authenticator,
  DefaultSession,
  DefaultUser,
  Profile,
  PublicProvider,
  TokenSet,
  User,
} from '../../src/types.ts';
import { fakeProvider, oauth, SECRET } from '../flows/scene.ts';
import { claims, credentialsSite, mailSite, oidcSite, SESSION, site, storeSite, told } from './site.ts';

type Text = string | null | undefined;

describe('User and AdapterUser', () => {
  it('User | id?, name?, email?, image?', async () => {
    expectTypeOf<DefaultUser>().toEqualTypeOf<{
      id?: string | undefined;
      name?: Text;
      email?: Text;
      image?: Text;
    }>();
    const app = oidcSite();
    await app.enter();
    expect(told(app, 'signIn')?.user).toEqual({
      id: expect.any(String),
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      image: 'https://idp.test/ada.png',
    });
  });

  it('AdapterUser | id: required, unique; email: required; emailVerified: null or a date', async () => {
    expectTypeOf<Pick<AdapterUser, 'id' | 'email' | 'emailVerified'>>().toEqualTypeOf<{
      id: string;
      email: string;
      emailVerified: Date | null;
    }>();
    const app = storeSite();
    await app.enter();
    const [[user] = []] = app.calledWith('createUser');
    expect(user).toMatchObject({ id: expect.stringMatching(/.{36}/), email: 'ada@example.com', emailVerified: null });
  });

  it('AdapterUser.emailVerified | the date of the first successful sign-in with an email provider', async () => {
    const app = mailSite();
    await app.open(await app.link('ada@example.com'));
    const first = app.clock.now();
    app.clock.advance(60);
    await app.open(await app.link('ada@example.com'));
    expect([...app.store.users.values()].map((user) => user.emailVerified)).toEqual([first]);
  });
});

describe('Session and AdapterSession', () => {
  it('Session | expires: string; user?: User', async () => {
    expectTypeOf<DefaultSession>().toEqualTypeOf<{ user?: User | undefined; expires: string }>();
    const app = oidcSite();
    await app.enter();
    const session = await app.session();
    expect(session?.expires).toBe(new Date(app.clock.now().getTime() + 2_592_000_000).toISOString());
  });

  it('only a subset of the token is returned by default: email, name, image', async () => {
    const app = oidcSite({ callbacks: { jwt: ({ token }) => ({ ...token, role: 'admin' }) } });
    await app.enter();
    expect(await claims(app)).toMatchObject({ role: 'admin', sub: expect.any(String) });
    const { user } = (await app.session()) ?? {};
    expect(user).toEqual({ email: 'ada@example.com', name: 'Ada Lovelace', image: 'https://idp.test/ada.png' });
  });

  it('AdapterSession | sessionToken: random, in an HTTP-only cookie; userId: owner; expires: absolute', async () => {
    expectTypeOf<AdapterSession>().toEqualTypeOf<{ sessionToken: string; userId: string; expires: Date }>();
    const app = storeSite();
    const page = await app.enter();
    const [[row] = []] = app.calledWith('createSession');
    const [user] = app.adapter.store.users.values();
    const expires = new Date(app.clock.now().getTime() + 2_592_000_000);
    expect(row).toEqual({ sessionToken: expect.stringMatching(/^[\da-f-]{36}$/), userId: user?.id, expires });
    expect(page.cookie(SESSION)).toMatchObject({ httpOnly: true, value: (row as AdapterSession).sessionToken });
  });

  it('AdapterSession.sessionToken | replaceable through `session.generateSessionToken`', async () => {
    const app = storeSite({ session: { generateSessionToken: () => 'made-here' } });
    await app.enter();
    expect(app.browser.cookies.get(SESSION)?.value).toBe('made-here');
  });
});

describe('Account and AdapterAccount', () => {
  it('types', () => {
    expectTypeOf<Account['type']>().toEqualTypeOf<ProviderType>();
    expectTypeOf<AdapterAccountType>().toEqualTypeOf<'oauth' | 'oidc' | 'email' | 'webauthn'>();
    expectTypeOf<AdapterAccount['userId']>().toEqualTypeOf<string>();
    expectTypeOf<Account['userId']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Account['token_type']>().toEqualTypeOf<Lowercase<string> | undefined>();
    expectTypeOf<Account['expires_at']>().toEqualTypeOf<number | undefined>();
  });

  it('providerAccountId | oauth/oidc: the account id returned by the `profile()` callback', async () => {
    const app = storeSite({}, { profile: () => ({ id: 'from-profile', email: 'ada@example.com' }) });
    await app.enter();
    const [[account] = []] = app.calledWith('linkAccount');
    expect(account).toMatchObject({ provider: 'fake', type: 'oidc', providerAccountId: 'from-profile' });
  });

  it("providerAccountId | email: the user's email address", async () => {
    const seen: unknown[] = [];
    const app = mailSite({ callbacks: { signIn: ({ account }) => Boolean(seen.push(account)) } });
    await app.open(await app.link('Ada@Example.com'));
    expect(seen[1]).toMatchObject({ provider: 'mail', type: 'email', providerAccountId: 'ada@example.com' });
  });

  it('providerAccountId | credentials: the `id` returned by `authorize()`', async () => {
    const app = credentialsSite(() => ({ id: '42' }));
    await app.enter();
    expect(told(app, 'signIn')?.account).toEqual({
      provider: 'credentials',
      type: 'credentials',
      providerAccountId: '42',
    });
  });

  it('one user can have several accounts', async () => {
    const app = storeSite({}, { allowDangerousEmailAccountLinking: true });
    await app.enter();
    await app.signIn(app.fake, { consent: { user: { sub: 'another', email: 'ada@example.com' } } });
    const owners = [...app.adapter.store.accounts.values()].map(({ userId }) => userId);
    expect(owners).toHaveLength(2);
    expect(new Set(owners).size).toBe(1);
  });

  it('token_type | always lowercased', async () => {
    const app = storeSite();
    app.fake.overrides.token = (answer) => ({ ...answer, token_type: 'BEARER' });
    await app.enter();
    expect(app.calledWith('linkAccount')[0]?.[0]).toMatchObject({ token_type: 'bearer' });
  });

  it('expires_at | absolute, in seconds, computed from `expires_in`', async () => {
    const app = oidcSite();
    await app.enter();
    const now = Math.floor(app.clock.now().getTime() / 1000);
    expect(told(app, 'signIn')?.account).toMatchObject({ expires_in: 3600, expires_at: now + 3600 });
  });

  it('authorization_details? | of the token response', async () => {
    const app = oidcSite();
    app.fake.overrides.token = (answer) => ({ ...answer, authorization_details: [{ type: 'payment' }] });
    await app.enter();
    expect(told(app, 'signIn')?.account).toMatchObject({ authorization_details: [{ type: 'payment' }] });
  });

  it('persisted by default: access_token, id_token, refresh_token, expires_at, scope, token_type, session_state', async () => {
    const app = storeSite();
    app.fake.overrides.token = (answer) => ({ ...answer, session_state: 'x', other: 'y' });
    await app.enter();
    const stored = ['access_token', 'id_token', 'refresh_token', 'expires_at', 'scope', 'token_type', 'session_state'];
    const identity = ['provider', 'providerAccountId', 'type', 'userId'];
    expect(Object.keys(app.calledWith('linkAccount')[0]?.[0] ?? {}).sort()).toEqual([...stored, ...identity].sort());
  });

  it('the provider option `account(tokens)` can return a different subset', async () => {
    const app = storeSite({}, { account: ({ scope }) => ({ scope }) });
    await app.enter();
    const [userId] = app.adapter.store.users.keys();
    const identity = { provider: 'fake', providerAccountId: 'ada-1815', type: 'oidc', userId };
    expect(app.calledWith('linkAccount')[0]?.[0]).toEqual({ scope: 'openid profile email', ...identity });
  });
});

describe('VerificationToken', () => {
  it('identifier: the address; token: hashed using the `secret`; expires: absolute', async () => {
    expectTypeOf<VerificationToken>().toEqualTypeOf<{ identifier: string; token: string; expires: Date }>();
    const app = mailSite();
    await app.ask('ada@example.com');
    const token = await sha256Hex(`${app.sent[0]?.token}${SECRET}`);
    const expires = new Date(app.clock.now().getTime() + 86_400_000);
    expect([...app.store.tokens.values()]).toEqual([{ identifier: 'ada@example.com', token, expires }]);
  });
});

describe('resources of which the core knows the fields', () => {
  it('Authenticator | fields', () => {
    expectTypeOf<Authenticator>().toEqualTypeOf<{
      credentialID: string;
      credentialPublicKey: string;
      counter: number;
      credentialDeviceType: string;
      credentialBackedUp: boolean;
      transports?: Text;
      providerAccountId: string;
      userId?: string | undefined;
    }>();
    expectTypeOf<AdapterAuthenticator['userId']>().toEqualTypeOf<string>();
  });

  it('JWT | email?, name?, picture?, sub?, exp?, iat?, jti?; open record', async () => {
    expectTypeOf<DefaultJWT['picture' | 'name' | 'email']>().toEqualTypeOf<Text>();
    expectTypeOf<DefaultJWT['exp' | 'iat']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<DefaultJWT['anything']>().toBeUnknown();
    const app = oidcSite();
    await app.enter();
    expect(await claims(app)).toMatchObject({
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      picture: 'https://idp.test/ada.png',
      sub: expect.any(String),
      exp: expect.any(Number),
      iat: expect.any(Number),
      jti: expect.any(String),
    });
  });

  it('Profile | standard claims, and an open record', async () => {
    type Texts =
      | 'id'
      | 'sub'
      | 'name'
      | 'given_name'
      | 'middle_name'
      | 'family_name'
      | 'nickname'
      | 'preferred_username'
      | 'profile'
      | 'website'
      | 'email'
      | 'gender'
      | 'birthdate'
      | 'locale'
      | 'zoneinfo'
      | 'phone_number';
    expectTypeOf<Profile[Texts]>().toEqualTypeOf<Text>();
    expectTypeOf<Profile['email_verified']>().toEqualTypeOf<boolean | null | undefined>();
    expectTypeOf<Profile['picture']>().toBeAny();
    expectTypeOf<Profile['updated_at']>().toEqualTypeOf<Date | Text | number>();
    expectTypeOf<keyof NonNullable<Profile['address']>>().toEqualTypeOf<
      'country' | 'formatted' | 'locality' | 'postal_code' | 'region' | 'street_address'
    >();
    const app = oidcSite();
    await app.signIn(app.fake, { consent: { user: { sub: 'x', nickname: 'Lady', shoe_size: 36 } } });
    expect(told(app, 'signIn')?.profile).toMatchObject({ sub: 'x', nickname: 'Lady', shoe_size: 36 });
  });

  it('TokenSet | the token response plus `expires_at` (seconds)', async () => {
    expectTypeOf<TokenSet['expires_at']>().toEqualTypeOf<number | undefined>();
    const seen: TokenSet[] = [];
    const app = oidcSite({}, { profile: ({ sub }, tokens) => ({ id: `${sub}${seen.push(tokens)}` }) });
    await app.enter();
    expect(seen[0]).toMatchObject({
      access_token: expect.any(String),
      expires_in: 3600,
      expires_at: expect.any(Number),
    });
  });

  it('PublicProvider | id, name, type, signinUrl, callbackUrl (all string)', async () => {
    expectTypeOf<PublicProvider[keyof PublicProvider]>().toEqualTypeOf<string>();
    const page = await site({ providers: [oauth(fakeProvider())] }).browser.get('/auth/providers');
    expect(page.json()).toEqual({
      plain: {
        id: 'plain',
        name: 'Plain',
        type: 'oauth',
        signinUrl: 'http://localhost:3000/auth/signin/plain',
        callbackUrl: 'http://localhost:3000/auth/callback/plain',
      },
    });
  });
});

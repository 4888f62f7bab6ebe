import { memoryAdapter, type UserinfoFault, userinfoFaults } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import type { OIDCConfig } from '../../src/providers/oauth.ts';
import { allowInsecureIssuer } from '../../src/symbols.ts';
import type { Profile, User } from '../../src/types/user.ts';
import { oneDoor } from '../flows/doors.ts';
import { expectRefused, fakeProvider, leadsTo, oauth, oidc, scene, startsSession } from '../flows/scene.ts';
import { site } from './site.ts';

/** A store in which the victim has an address, and a provider that may link to it. */
async function victims(...addresses: string[]) {
  const adapter = memoryAdapter();
  for (const [index, email] of addresses.entries()) {
    await adapter.createUser({ id: `victim-${index}`, email, emailVerified: new Date() });
  }
  return adapter;
}

describe.each(oneDoor)('what a provider tells about a visitor, through $name', (door) => {
  it.each([false, 'false', 'False', 'True', '0', 0, 1, '1', 11, 'no', 'untrue', 'trueish', '', null, {}, []])(
    'links to no user when `email_verified` is %j',
    async (email_verified) => {
      const fake = fakeProvider();
      const claims = { sub: 'mallory', email: 'victim@example.com', email_verified };
      const adapter = await victims('victim@example.com');
      const app = scene(door, { adapter, providers: [oidc(fake, { allowDangerousEmailAccountLinking: true })] });
      fake.overrides.userinfo = (known) => ({ ...known, ...claims });
      const page = await app.signIn(fake, { consent: { user: claims as never } });
      expectRefused(app, page, 'OAuthCreateAccount');
      expect(adapter.dump().accounts).toEqual([]);
    },
  );

  it.each([true, 'true', undefined])('may link when it is %j', async (email_verified) => {
    const fake = fakeProvider();
    const user = { sub: 'victim', email: 'victim@example.com', email_verified } as never;
    const adapter = await victims('victim@example.com');
    const app = scene(door, { adapter, providers: [oidc(fake, { allowDangerousEmailAccountLinking: true })] });
    expect(startsSession(await app.signIn(fake, { consent: { user } }))).toBe(true);
  });

  // A Kelvin sign becomes a k in lower case.
  it.each(['\u212Aevin@example.com', 'victim@\u212Aelvin.example', '\uFF56ictim@example.com'])(
    'is not the address that it becomes when it is folded: %j',
    async (email) => {
      const fake = fakeProvider();
      const adapter = await victims('kevin@example.com', 'victim@kelvin.example', 'victim@example.com');
      const app = scene(door, { adapter, providers: [oidc(fake, { allowDangerousEmailAccountLinking: true })] });
      const user = { sub: 'mallory', email, email_verified: true };
      expectRefused(app, await app.signIn(fake, { consent: { user } }), 'OAuthCreateAccount');
      expect(adapter.dump().accounts).toEqual([]);
    },
  );

  it.each([
    'victim@example.com\0',
    'victim\u200B@example.com',
    'mallory@evil.example\n,@example.com',
    'vic tim@example.com',
  ])('creates no user when it has hidden characters: %j', async (email) => {
    const fake = fakeProvider();
    const adapter = await victims('victim@example.com');
    const app = scene(door, { adapter, providers: [oidc(fake)] });
    const user = { sub: 'mallory', email, email_verified: true };
    expectRefused(app, await app.signIn(fake, { consent: { user } }), 'OAuthCreateAccount');
    expect(adapter.dump().accounts).toEqual([]);
  });

  it.each([{ $ne: null }, ['victim@example.com'], 42, true])(
    'is not looked up when it is not a string: %j',
    async (email) => {
      const fake = fakeProvider();
      const adapter = await victims('victim@example.com');
      const profile = (claims: Profile): User => ({ id: String(claims.sub), email: email as never });
      const providers = [oauth(fake, { profile, allowDangerousEmailAccountLinking: true })];
      const app = scene(door, { adapter, providers });
      expect(startsSession(await app.signIn(fake, { id: 'plain' }))).toBe(true);
      expect(adapter.calls.filter(({ method }) => method === 'getUserByEmail')).toEqual([]);
      expect(await app.session()).toMatchObject({ user: { email: null } });
    },
  );

  it.each([undefined, null, Number.NaN, {}])('is refused when `profile()` makes a string of %j as id', async (id) => {
    const fake = fakeProvider({ oidc: false });
    const app = scene(door, { providers: [oauth(fake, { profile: () => ({ id: String(id) }) })] });
    expectRefused(app, await app.signIn(fake, { id: 'plain' }), 'Callback');
  });

  it('is refused when its id is a number that was rounded, because two people would share it', async () => {
    const fake = fakeProvider({ oidc: false });
    const profile = ({ id }: Profile): User => ({ id: id as never });
    const app = scene(door, { providers: [oauth(fake), oauth(fake, { id: 'own', profile })] });
    fake.faults.userinfo = { body: '{"id":12345678901234567891}' };
    for (const id of ['plain', 'own']) expectRefused(app, await app.signIn(fake, { id }), 'Callback');
    fake.faults.userinfo = { body: '{"id":1234567890123456}' };
    for (const id of ['plain', 'own']) expect(startsSession(await app.signIn(fake, { id }))).toBe(true);
  });
});

describe.each(oneDoor)('metadata that two providers share, through $name', (door) => {
  it('are checked for each of them: http endpoints pass only where the owner allows them', async () => {
    const fake = fakeProvider();
    fake.overrides.discovery = (metadata) => ({ ...metadata, token_endpoint: 'http://idp.test/token' });
    const lax: OIDCConfig<Profile> = { ...oidc(fake, { id: 'lax' }), [allowInsecureIssuer]: true };
    const app = scene(door, { providers: [lax, oidc(fake)] });
    expect((await app.begin('lax')).location).toContain('https://idp.test/authorize');
    expect(leadsTo(await app.begin())).toMatch(/^\/auth\/error\?error=Configuration/);
  });

  it('are checked for each of them: the issuer is the one that is configured', async () => {
    const fake = fakeProvider();
    const wellKnown = fake.endpoints.discovery;
    const app = scene(door, {
      providers: [
        oidc(fake, { id: 'trusting', issuer: undefined, wellKnown }),
        oidc(fake, { id: 'right', wellKnown }),
        oidc(fake, { issuer: 'https://other.test', wellKnown }),
      ],
    });
    for (const id of ['trusting', 'right'])
      expect((await app.begin(id)).location).toContain('https://idp.test/authorize');
    expect(leadsTo(await app.begin())).toBe('/auth/signin?error=OAuthSignin');
  });
});

/** Each is another subject: OpenID Connect Core §2 compares `sub` by case, RFC 8259 §8.3 strings by code units. */
const subjects = [
  'ada', 'Ada', 'ADA', 'ada ', ' ada', '\u00e1da', 'a\u0301da', '\u0430da', '\uff41da', 'ada\u200b', '1', '1.0', '01',
]; // biome-ignore format: a list to be read across

describe.each(oneDoor)('the subjects of one provider, through $name', (door) => {
  it('that look alike are as many people', async () => {
    const fake = fakeProvider();
    const adapter = memoryAdapter();
    const app = scene(door, { adapter, providers: [oidc(fake)] });
    for (const sub of subjects) {
      const browser = app.visitor();
      expect(startsSession(await app.signIn(fake, { consent: { user: { sub } }, browser }))).toBe(true);
    }
    const { users, accounts } = adapter.dump();
    expect(accounts.map(({ providerAccountId }) => providerAccountId)).toEqual(subjects);
    expect(users).toHaveLength(subjects.length);
    await app.signIn(fake, { consent: { user: { sub: 'Ada' } }, browser: app.visitor() });
    expect(adapter.dump().users).toHaveLength(subjects.length);
  });
});

const fromUserinfo = { idToken: false } as const;

describe.each(oneDoor)('a hostile userinfo endpoint, through $name', (door) => {
  it.each(Object.keys(userinfoFaults) as UserinfoFault[])('is refused: %s', async (name) => {
    const { fake, app } = site(door, fromUserinfo);
    fake.misbehave({ userinfo: userinfoFaults[name] });
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
    fake.behave();
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it('is not asked where the claims come from the ID token', async () => {
    const { fake, app } = site(door);
    fake.misbehave({ userinfo: userinfoFaults.otherSubject });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(fake.count('userinfo')).toBe(0);
  });

  it('that signs is believed', async () => {
    const fake = fakeProvider({ signedUserinfo: true });
    const app = scene(door, { providers: [oidc(fake, fromUserinfo)] });
    fake.misbehave({ userinfoToken: { claims: { name: 'Signed' } } });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(await app.session()).toMatchObject({ user: { name: 'Signed' } });
  });

  it.each(['wrong-key', 'embedded-key', 'unlisted-algorithm', 'client-secret', 'public-key', 'none'] as const)(
    'with a wrong signature is refused: %s',
    async (sign) => {
      const fake = fakeProvider({ signedUserinfo: true });
      const app = scene(door, { providers: [oidc(fake, fromUserinfo)] });
      fake.misbehave({ userinfoToken: { sign } });
      expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
      expect(fake.requests.every(({ url }) => url.startsWith(`${fake.issuer}/`))).toBe(true);
    },
  );

  it('with a wrong signature is refused for any content type', async () => {
    const fake = fakeProvider({ signedUserinfo: true });
    const app = scene(door, { providers: [oidc(fake, fromUserinfo)] });
    const headers = { 'content-type': 'application/jwt;charset=utf-8' };
    fake.misbehave({ userinfo: { headers } });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    fake.misbehave({ userinfo: { headers }, userinfoToken: { sign: 'wrong-key' } });
    const stranger = app.visitor();
    expectRefused(app, await app.signIn(fake, { browser: stranger }), 'OAuthCallbackError', stranger);
  });

  it('may leave the type of its answer out', async () => {
    const { fake, app } = site(door, fromUserinfo);
    fake.misbehave({ userinfo: { headers: { 'content-type': '' } } });
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it.each([
    ['another subject', { sub: 'another-subject' }],
    ['no subject', { sub: undefined }],
    ['another issuer', { iss: 'https://impostor.example' }],
    ['another audience', { aud: 'another-client' }],
    ['an instant that is over', { exp: 1 }],
  ])('with a signature for %s is refused', async (_, claims) => {
    const fake = fakeProvider({ signedUserinfo: true });
    const app = scene(door, { providers: [oidc(fake, fromUserinfo)] });
    fake.misbehave({ userinfoToken: { claims } });
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
  });

  it('without the signature that the configuration demands is refused', async () => {
    const fake = fakeProvider();
    const client = { userinfo_signed_response_alg: 'ES256' };
    const app = scene(door, { providers: [oidc(fake, { ...fromUserinfo, client })] });
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
  });

  it('that tells of claims elsewhere (aggregated, distributed) is not followed there, and they count for nothing', async () => {
    const fake = fakeProvider();
    const profiles: Profile[] = [];
    const app = scene(door, {
      providers: [oidc(fake, fromUserinfo)],
      events: { signIn: ({ profile, user }) => void profiles.push({ ...profile, shown: user.email }) },
    });
    fake.misbehave({
      userinfo: {
        json: {
          email: undefined,
          email_verified: undefined,
          _claim_names: { email: 'one', name: 'two' },
          _claim_sources: {
            one: { JWT: `${btoa('{"alg":"none"}')}.${btoa('{"email":"victim@example.com"}')}.` },
            two: { endpoint: 'https://elsewhere.example/claims', access_token: 'x' },
          },
        },
      },
    });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(profiles[0]?.shown).toBeUndefined();
    expect(fake.requests.every(({ url }) => url.startsWith(`${fake.issuer}/`))).toBe(true);
  });
});

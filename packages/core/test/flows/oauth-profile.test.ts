import { type Fault, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import type { UserinfoEndpointHandler } from '../../src/providers/oauth.ts';
import type { Profile, User } from '../../src/types/user.ts';
import { oneDoor } from './doors.ts';
import {
  expectConfiguration,
  expectRefused,
  fakeProvider,
  leadsTo,
  oauth,
  oauthScene,
  oidc,
  oidcScene,
  scene,
  startsSession,
} from './scene.ts';

const faults: [string, Fault][] = [
  ['401 with a JSON body', { status: 401, body: { id: 'victim', email: 'victim@example.com' } }],
  ['403', { status: 403 }],
  ['500', { status: 500, body: { sub: 'victim' } }],
  ['204', { status: 204 }],
  ['HTML', { body: '<html></html>', headers: { 'content-type': 'text/html' } }],
  ['null', { body: 'null' }],
  ['an array', { body: [{ sub: 'victim' }] }],
  ['a string', { body: '"victim"' }],
  ['broken JSON', { body: '{"sub":' }],
  ['a redirect', { redirect: 'http://169.254.169.254/' }],
  ['too much', { padding: 1_100_000 }],
  ['no end', { endless: true }],
  ['a broken connection', { throw: true }],
];

describe.each(oneDoor)('the profile through $name', (door) => {
  it.each(faults)('of a plain provider that answers %s is refused', async (_, fault) => {
    const { app, fake } = oauthScene(door);
    fake.faults.userinfo = { ...fault, times: 1 };
    expectRefused(app, await app.signIn(fake, { id: 'plain' }), 'OAuthCallbackError');
    expect(fake.count()).toBe(2);
    expect(startsSession(await app.signIn(fake, { id: 'plain' }))).toBe(true);
  });

  it.each(['<html></html>', '', 'null', '[]', '"victim"'])(
    'of a plain provider that answers %s is refused, and the log says that it must be a JSON object',
    async (body) => {
      const { app, fake } = oauthScene(door);
      fake.faults.userinfo = { body };
      await app.signIn(fake, { id: 'plain' });
      expect(app.log.errors[0]?.message).toMatch(/the userinfo endpoint must answer with a JSON object/);
      expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'plain' });
    },
  );

  it.each(faults)('of an OpenID provider with `idToken: false` that answers %s is refused', async (_, fault) => {
    const { app, fake } = oidcScene(door, { idToken: false });
    fake.faults.userinfo = { ...fault, times: 1 };
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it.each([
    ['another subject', 'victim'],
    ['no subject', undefined],
    ['an empty subject', ''],
  ])('from the userinfo endpoint of an OpenID provider with %s is refused', async (_, sub) => {
    const { app, fake } = oidcScene(door, { idToken: false });
    fake.overrides.userinfo = (claims) => ({ ...claims, sub });
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
  });

  it('comes from the userinfo endpoint with `idToken: false`, and the ID token is still checked', async () => {
    const { app, fake } = oidcScene(door, { idToken: false });
    fake.overrides.userinfo = (claims) => ({ ...claims, name: 'From userinfo' });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(await app.session()).toMatchObject({ user: { name: 'From userinfo' } });
    fake.overrides.idToken = { sign: 'wrong-key' };
    expect(startsSession(await app.signIn(fake))).toBe(false);
  });

  it('comes from the ID token alone if that has the claims of the granted scopes', async () => {
    const { app, fake } = oidcScene(door);
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(fake.count('userinfo')).toBe(0);
  });

  it('gets name and address from the userinfo endpoint if the ID token lacks them', async () => {
    const { app, fake } = oidcScene(door);
    fake.overrides.idToken = { claims: ({ name: _, email: __, picture: ___, ...claims }) => claims };
    expect(startsSession(await app.signIn(fake))).toBe(true);
    const user = { name: 'Ada Lovelace', email: 'ada@example.com', image: 'https://idp.test/ada.png' };
    expect(await app.session()).toMatchObject({ user });
    expect(fake.count('userinfo')).toBe(1);
  });

  it('is not asked for at the userinfo endpoint without the scopes of name and address', async () => {
    const { app, fake } = oidcScene(door, { authorization: { params: { scope: 'openid' } } });
    fake.overrides.idToken = { claims: ({ name: _, email: __, ...claims }) => claims };
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(fake.count('userinfo')).toBe(0);
  });

  it.each<[string, Fault | undefined, string | undefined]>([
    ['fails', { status: 500 }, undefined],
    ['describes another subject', undefined, 'victim'],
  ])('is the ID token alone if the userinfo endpoint %s', async (_, fault, sub) => {
    const { app, fake } = oidcScene(door);
    fake.overrides.idToken = { claims: ({ email: __, ...claims }) => claims };
    if (fault) fake.faults.userinfo = fault;
    if (sub) fake.overrides.userinfo = (claims) => ({ ...claims, sub });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(await app.session()).toMatchObject({ user: { name: 'Ada Lovelace' } });
    expect(((await app.session()) as { user: { email?: string } }).user.email).toBeUndefined();
    expect(app.log.errors).toEqual([]);
  });

  it.each([
    ['the ID token', false, undefined],
    ['the userinfo endpoint', true, false],
  ])(
    'creates no user by an address of the userinfo endpoint if %s says that it is not verified',
    async (_, token, told) => {
      const { app, fake } = oidcScene(door, {}, { adapter: memoryAdapter() });
      fake.overrides.idToken = { claims: ({ email: __, ...claims }) => ({ ...claims, email_verified: token }) };
      fake.overrides.userinfo = (claims) => ({ ...claims, email_verified: told });
      expectRefused(app, await app.signIn(fake), 'OAuthCreateAccount');
    },
  );

  it.each([
    ['only the ID token', false, undefined],
    ['only the ID token, against the userinfo endpoint,', false, true],
    ['only the userinfo endpoint', true, false],
  ])(
    'creates no user with `idToken: false` if %s says that the address is not verified',
    async (_, token, userinfo) => {
      const { app, fake } = oidcScene(door, { idToken: false }, { adapter: memoryAdapter() });
      fake.overrides.idToken = { claims: (claims) => ({ ...claims, email_verified: token }) };
      fake.overrides.userinfo = (claims) => ({ ...claims, email_verified: userinfo });
      expectRefused(app, await app.signIn(fake), 'OAuthCreateAccount');
    },
  );

  it.each([
    [undefined, '/'],
    ['claim', '/auth/signin?error=OAuthCreateAccount'],
    [() => 'claim' as const, '/auth/signin?error=OAuthCreateAccount'],
  ] as const)(
    'without `email_verified`, and with `emailVerification` %j, leads to %s',
    async (emailVerification, target) => {
      const { app, fake } = oidcScene(door, { emailVerification }, { adapter: memoryAdapter() });
      fake.overrides.idToken = { claims: ({ email_verified: _, ...claims }) => claims };
      expect(leadsTo(await app.signIn(fake))).toBe(target);
    },
  );

  it('may be fetched by the application, for plain providers and with `idToken: false`', async () => {
    const fake = fakeProvider();
    const userinfo: UserinfoEndpointHandler = {
      request: ({ tokens }) => ({
        sub: 'ada-1815',
        name: tokens.access_token?.slice(0, 3),
      }),
    };
    const app = scene(door, {
      providers: [oidc(fake, { idToken: false, userinfo }), oauth(fake, { userinfo })],
    });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(await app.session()).toMatchObject({ user: { name: 'at_' } });
    expect(startsSession(await app.signIn(fake, { id: 'plain' }))).toBe(true);
    expect(fake.count('userinfo')).toBe(0);
  });

  it('fetched by the application for an OpenID provider must have the same subject', async () => {
    const fake = fakeProvider();
    const app = scene(door, {
      providers: [oidc(fake, { idToken: false, userinfo: { request: () => ({ sub: 'another-subject' }) } })],
    });
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
    expect(app.log.errors[0]?.message).toMatch(/another subject/);
  });

  it('of a plain provider that also sends an ID token comes from the userinfo endpoint, even with another id', async () => {
    const fake = fakeProvider();
    fake.overrides.userinfo = { sub: undefined, id: 7 };
    const scope = { params: { scope: 'openid email' }, url: fake.endpoints.authorization };
    const ids: unknown[] = [];
    const client = { id_token_signed_response_alg: 'ES256' };
    const app = scene(door, {
      providers: [oauth(fake, { issuer: fake.issuer, authorization: scope, client })],
      events: { signIn: ({ account }) => void ids.push(account?.providerAccountId) },
    });
    expect(startsSession(await app.signIn(fake, { id: 'plain' }))).toBe(true);
    expect(ids).toEqual(['7']);
  });

  it('of a plain provider is requested with the access token, as JSON; a failure is logged with its status', async () => {
    const { app, fake } = oauthScene(door);
    await app.signIn(fake, { id: 'plain' });
    const [request] = fake.requestsTo('userinfo');
    expect(request?.method).toBe('GET');
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({
      accept: 'application/json',
      authorization: expect.stringMatching(/^Bearer at_/),
      'user-agent': 'latchkey',
    });
    fake.faults.userinfo = { status: 418, body: { id: 'teapot' } };
    await app.signIn(fake, { id: 'plain' });
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'plain', status: 418 });
  });

  it.each([undefined, null, [], 'text', 7])('fetched by the application as %j is refused', async (profile) => {
    const { app, fake } = oauthScene(door, { userinfo: { request: () => profile } });
    expectRefused(app, await app.signIn(fake, { id: 'plain' }), 'OAuthCallbackError');
  });

  it('is refused if fetching it throws', async () => {
    const fake = fakeProvider({ oidc: false });
    const request = (): never => {
      throw new Error('no connection');
    };
    const app = scene(door, { providers: [oauth(fake, { userinfo: { request } })] });
    expectRefused(app, await app.signIn(fake, { id: 'plain' }), 'OAuthCallbackError');
    expect(app.log.errors[0]?.cause?.err).toMatchObject({ message: 'no connection' });
  });

  it.each([
    ['a number', 42, '42'],
    ['zero', 0, '0'],
    ['a big number', 9007199254740993n, '9007199254740993'],
    ['text', 'Ada/1', 'Ada/1'],
  ])('with %s as id is known by its text', async (_, id, expected) => {
    const fake = fakeProvider();
    const ids: unknown[] = [];
    const app = scene(door, {
      providers: [oidc(fake, { profile: () => ({ id }) as unknown as User })],
      events: { signIn: ({ account }) => void ids.push(account?.providerAccountId) },
    });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(ids).toEqual([expected]);
  });

  it.each([
    ['without id', /the profile has no id/, () => ({ name: 'x' })],
    ['with an empty id', /the profile has no id/, () => ({ id: '' })],
    ['with an object as id', /the profile has no id/, () => ({ id: {} as never })],
    ['with NaN as id', /the profile has no id/, () => ({ id: Number.NaN as never })],
    ['that is null', /returned no user/, () => null as never],
    ['that is text', /returned no user/, () => 'ada' as never],
  ])(
    'mapped to a user %s is refused on the sign-in page, whose URL has neither code nor state',
    async (_, reason, profile) => {
      const { app, fake } = oidcScene(door, { profile: profile as (claims: Profile) => User });
      expectRefused(app, await app.signIn(fake), 'Callback');
      expect(app.log.types()).toEqual(['OAuthProfileParseError']);
      expect(app.log.errors[0]?.message).toMatch(reason);
    },
  );

  it('is refused on the sign-in page if its mapping throws, without code or state, and the log has the reason', async () => {
    const fake = fakeProvider();
    const profile = (): never => {
      throw new Error('boom');
    };
    const app = scene(door, { providers: [oidc(fake, { profile })] });
    expectRefused(app, await app.signIn(fake), 'Callback');
    expect(app.log.types()).toEqual(['OAuthProfileParseError']);
    expect(app.log.errors[0]?.message).toMatch(/`profile\(\)` threw/);
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'fake', err: { message: 'boom' } });
  });

  it('is mapped with the tokens, and the mapping may be asynchronous', async () => {
    const fake = fakeProvider();
    const app = scene(door, {
      providers: [
        oidc(fake, {
          profile: async (claims, tokens) => ({
            id: claims.sub ?? '',
            name: tokens.scope ?? '',
            email: ' Ada@EXAMPLE.com ',
          }),
        }),
      ],
    });
    await app.signIn(fake);
    expect(await app.session()).toMatchObject({
      user: { name: 'openid profile email', email: 'ada@example.com' },
    });
  });

  it('has only mapped members: claims named id, role, or emailVerified change no user', async () => {
    const fake = fakeProvider();
    const users: unknown[] = [];
    const app = scene(door, {
      providers: [oidc(fake)],
      callbacks: { signIn: ({ user }) => Boolean(users.push(user)) },
    });
    const user = JSON.parse('{"sub":"s","id":"admin","role":"admin","emailVerified":"now","__proto__":{"admin":true}}');
    expect(startsSession(await app.signIn(fake, { consent: { user } }))).toBe(true);
    expect(users).toEqual([{ id: expect.stringMatching(/^[\da-f-]{36}$/) }]);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('falls back to nickname and preferred_username for the name', async () => {
    const { app, fake } = oidcScene(door);
    await app.signIn(fake, { consent: { user: { sub: 's', preferred_username: 'ada', picture: 7 as never } } });
    expect(await app.session()).toMatchObject({ user: { name: 'ada' } });
  });

  it('needs a userinfo endpoint with `idToken: false`; the log tells the owner', async () => {
    const fake = fakeProvider();
    fake.overrides.discovery = (metadata) => ({ ...metadata, userinfo_endpoint: undefined });
    const without = scene(door, { providers: [oidc(fake)] });
    expect(startsSession(await without.signIn(fake))).toBe(true);
    const app = scene(door, { providers: [oidc(fake, { idToken: false })] });
    expectConfiguration(app, await app.signIn(fake));
    expect(app.log.errors[0]?.message).toMatch(/no userinfo endpoint/);
  });
});

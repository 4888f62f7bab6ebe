import { createHmac } from 'node:crypto';
import { memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import type { OIDCConfig } from '../../src/providers/oauth.ts';
import { allowInsecureIssuer } from '../../src/symbols.ts';
import type { Profile, User } from '../../src/types.ts';
import { doors } from '../flows/doors.ts';
import { expectRefused, fakeProvider, leadsTo, oauth, oidc, scene, startsSession } from '../flows/scene.ts';

/** A store in which the victim has an address, and a provider that may link to it. */
async function victims(...addresses: string[]) {
  const adapter = memoryAdapter();
  for (const [index, email] of addresses.entries()) {
    await adapter.createUser({ id: `victim-${index}`, email, emailVerified: new Date() });
  }
  return adapter;
}

describe.each(doors)('what a provider tells about a visitor, through $name', (door) => {
  it.each([false, 'false', 'False', 'FALSE', '0', 0, 11, 'no', 'untrue', 'trueish', '', {}, []])(
    'links to nobody when `email_verified` is %j',
    async (email_verified) => {
      const fake = fakeProvider();
      const claims = { sub: 'mallory', email: 'victim@example.com', email_verified };
      const adapter = await victims('victim@example.com');
      const app = scene(door, { adapter, providers: [oidc(fake, { allowDangerousEmailAccountLinking: true })] });
      fake.overrides.userinfo = (known) => ({ ...known, ...claims });
      const page = await app.signIn(fake, { consent: { user: claims as never } });
      expectRefused(app, page, 'OAuthAccountNotLinked');
      expect(adapter.dump().accounts).toEqual([]);
    },
  );

  it.each([true, 'true', 'True', 1, '1', null, undefined])('may link when it is %j', async (email_verified) => {
    const fake = fakeProvider();
    const user = { sub: 'victim', email: 'victim@example.com', email_verified } as never;
    const adapter = await victims('victim@example.com');
    const app = scene(door, { adapter, providers: [oidc(fake, { allowDangerousEmailAccountLinking: true })] });
    expect(startsSession(await app.signIn(fake, { consent: { user } }))).toBe(true);
  });

  // A Kelvin sign becomes a k in lower case.
  it.each([
    ['\u212Aevin@example.com', 'OAuthAccountNotLinked'],
    ['victim@\u212Aelvin.example', 'OAuthAccountNotLinked'],
    ['\uFF56ictim@example.com', 'OAuthCreateAccount'],
  ])('is not the address that it becomes when it is folded: %j', async (email, error) => {
    const fake = fakeProvider();
    const adapter = await victims('kevin@example.com', 'victim@kelvin.example', 'victim@example.com');
    const app = scene(door, { adapter, providers: [oidc(fake, { allowDangerousEmailAccountLinking: true })] });
    const user = { sub: 'mallory', email, email_verified: true };
    expectRefused(app, await app.signIn(fake, { consent: { user } }), error);
    expect(adapter.dump().accounts).toEqual([]);
  });

  it.each([{ $ne: null }, ['victim@example.com'], 42, true])(
    'is no address to look up when it is no text: %j',
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

  it.each([undefined, null, Number.NaN, {}])('is nobody when `profile()` makes a text of %j as id', async (id) => {
    const fake = fakeProvider({ oidc: false });
    const app = scene(door, { providers: [oauth(fake, { profile: () => ({ id: String(id) }) })] });
    expectRefused(app, await app.signIn(fake, { id: 'plain' }), 'Callback');
  });

  it('is nobody when its id is a number that was rounded: two people would share it', async () => {
    const fake = fakeProvider({ oidc: false });
    const profile = ({ id }: Profile): User => ({ id: id as never });
    const app = scene(door, { providers: [oauth(fake), oauth(fake, { id: 'own', profile })] });
    fake.faults.userinfo = { body: '{"id":12345678901234567891}' };
    for (const id of ['plain', 'own']) expectRefused(app, await app.signIn(fake, { id }), 'Callback');
    fake.faults.userinfo = { body: '{"id":1234567890123456}' };
    for (const id of ['plain', 'own']) expect(startsSession(await app.signIn(fake, { id }))).toBe(true);
  });

  it('counts for nothing when it is signed by HS256 and there is no secret', async () => {
    const fake = fakeProvider();
    const client = { token_endpoint_auth_method: 'none', id_token_signed_response_alg: 'HS256' };
    const app = scene(door, { providers: [oidc(fake, { clientSecret: undefined, client })] });
    const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: fake.issuer, aud: 'client', sub: 'victim', iat: now, exp: now + 60 };
    const data = `${encoded({ alg: 'HS256' })}.${encoded(claims)}`;
    const id_token = `${data}.${createHmac('sha256', '').update(data).digest('base64url')}`;
    fake.faults.token = { body: { access_token: 'x', token_type: 'bearer', id_token } };
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
  });
});

describe.each(doors)('metadata that two providers share, through $name', (door) => {
  it('are judged for each of them: http endpoints pass only where the owner allows them', async () => {
    const fake = fakeProvider();
    fake.overrides.discovery = (metadata) => ({ ...metadata, token_endpoint: 'http://idp.test/token' });
    const lax: OIDCConfig<Profile> = { ...oidc(fake, { id: 'lax' }), [allowInsecureIssuer]: true };
    const app = scene(door, { providers: [lax, oidc(fake)] });
    expect((await app.begin('lax')).location).toContain('https://idp.test/authorize');
    expect(leadsTo(await app.begin())).toMatch(/^\/auth\/error\?error=Configuration/);
  });

  it('are judged for each of them: the issuer is the one that is configured', async () => {
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

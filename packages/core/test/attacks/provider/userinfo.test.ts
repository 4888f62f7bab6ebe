import { type UserinfoFault, userinfoFaults } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import type { Profile } from '../../../src/types.ts';
import { doors } from '../../flows/doors.ts';
import { expectRefused, fakeProvider, oidc, scene, startsSession } from '../../flows/scene.ts';

const fromUserinfo = { idToken: false } as const;

describe.each(doors)('a hostile userinfo endpoint, through $name', (door) => {
  it.each(Object.keys(userinfoFaults) as UserinfoFault[])('tells about nobody: %s', async (name) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, fromUserinfo)] });
    fake.misbehave({ userinfo: userinfoFaults[name] });
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
    fake.behave();
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it('is not asked where the claims come from the ID token', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
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
    'that signs wrongly tells about nobody: %s',
    async (sign) => {
      const fake = fakeProvider({ signedUserinfo: true });
      const app = scene(door, { providers: [oidc(fake, fromUserinfo)] });
      fake.misbehave({ userinfoToken: { sign } });
      expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
      expect(fake.requests.every(({ url }) => url.startsWith(`${fake.issuer}/`))).toBe(true);
    },
  );

  it('that signs wrongly tells about nobody, however its answer is called', async () => {
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
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, fromUserinfo)] });
    fake.misbehave({ userinfo: { headers: { 'content-type': '' } } });
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it.each([
    ['another subject', { sub: 'somebody-else' }],
    ['no subject', { sub: undefined }],
    ['another issuer', { iss: 'https://impostor.example' }],
    ['another audience', { aud: 'another-client' }],
    ['an instant that is over', { exp: 1 }],
  ])('that signs for %s tells about nobody', async (_, claims) => {
    const fake = fakeProvider({ signedUserinfo: true });
    const app = scene(door, { providers: [oidc(fake, fromUserinfo)] });
    fake.misbehave({ userinfoToken: { claims } });
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
  });

  it('that does not sign although the configuration says so tells about nobody', async () => {
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

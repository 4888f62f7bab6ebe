import { describe, expect, it } from 'vitest';
import { doors } from '../flows/doors.ts';
import { expectRefused, fakeProvider, oauth, oidc, scene, startsSession } from '../flows/scene.ts';

describe.each(doors)('two providers, one of them hostile, through $name', (door) => {
  const checks = [['pkce'], ['state'], ['nonce']] as const;

  it.each(checks)("a sign-in begun at one never ends at the other's callback (%s)", async (check) => {
    const honest = fakeProvider();
    const hostile = fakeProvider({ issuer: 'https://hostile.test', issParameter: false });
    const app = scene(door, {
      providers: [oidc(honest, { checks: [check] }), oidc(hostile, { id: 'hostile', checks: [check] })],
    });
    const started = await app.begin('hostile');
    const back = new URL(await hostile.authorize(started.location ?? ''));
    back.pathname = '/auth/callback/fake';
    expectRefused(app, await app.finish(back.href), 'InvalidCheck');
    expect(honest.count('token')).toBe(0);
    // The sign-in that was really begun is still there.
    back.pathname = '/auth/callback/hostile';
    expect(startsSession(await app.finish(back.href))).toBe(true);
  });

  it.each([
    ['another issuer', 'https://hostile.test'],
    ['a trailing slash', 'https://idp.test/'],
    ['nothing', ''],
  ])('an answer whose `iss` is %s is refused before the code is sent anywhere', async (_, iss) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    const back = await fake.authorize((await app.begin()).location ?? '', { parameters: { iss } });
    expectRefused(app, await app.finish(back), 'OAuthCallbackError');
    expect(fake.count('token')).toBe(0);
  });

  it('an answer without `iss` is refused where the provider promises one', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    const back = await fake.authorize((await app.begin()).location ?? '', { parameters: { iss: undefined } });
    expectRefused(app, await app.finish(back), 'OAuthCallbackError');
    expect(fake.count('token')).toBe(0);
  });

  it('a foreign `iss` is refused also where none is promised, and for plain providers with an issuer', async () => {
    const fake = fakeProvider({ issParameter: false });
    const app = scene(door, { providers: [oidc(fake), oauth(fake, { issuer: fake.issuer })] });
    for (const id of ['fake', 'plain']) {
      const parameters = { iss: 'https://hostile.test' };
      const back = await fake.authorize((await app.begin(id)).location ?? '', { parameters });
      expectRefused(app, await app.finish(back), 'OAuthCallbackError');
    }
    expect(fake.count('token')).toBe(0);
  });

  it('the same subject at two providers is two people', async () => {
    const one = fakeProvider();
    const two = fakeProvider({ issuer: 'https://other.test' });
    const accounts: string[] = [];
    const app = scene(door, {
      providers: [oidc(one), oidc(two, { id: 'other' })],
      events: { signIn: ({ account }) => void accounts.push(`${account?.provider}:${account?.providerAccountId}`) },
    });
    await app.signIn(one);
    await app.signIn(two, { id: 'other' });
    expect(accounts).toEqual(['fake:ada-1815', 'other:ada-1815']);
  });
});

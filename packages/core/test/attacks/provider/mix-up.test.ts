import { type FakeProvider, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { type Door, oneDoor } from '../../flows/doors.ts';
import {
  asked,
  expectRefused,
  fakeProvider,
  oauth,
  oidc,
  type Scene,
  scene,
  startsSession,
} from '../../flows/scene.ts';
import { site } from '../site.ts';

const callbackOf = (id: string): string => `http://localhost:3000/auth/callback/${id}`;

/** An application with an honest provider and one that sends visitors on to it, to get at the code that comes back. */
function attacked(door: Door, options: { registered?: boolean; issParameter?: boolean } = {}) {
  const { registered = true, issParameter = true } = options;
  const honest = fakeProvider({
    issParameter,
    clients: [
      {
        client_id: 'client',
        client_secret: 'the-secret-at-the-honest-provider-0123456789',
        ...(registered && { redirect_uris: [callbackOf('fake')] }),
      },
    ],
  });
  const hostile = fakeProvider({ issuer: 'https://hostile.test', issParameter: false });
  const clientSecret = 'the-secret-at-the-honest-provider-0123456789';
  const app = scene(door, {
    adapter: memoryAdapter(),
    providers: [oidc(honest, { clientSecret }), oidc(hostile, { id: 'hostile', name: 'Hostile' })],
  });
  return { honest, hostile, app };
}

async function sentOn(app: Scene, hostile: FakeProvider): Promise<string> {
  return hostile.authorize((await app.begin('hostile')).location ?? '');
}

describe.each(oneDoor)('a provider that sends visitors on to another one (mix-up), through $name', (door) => {
  it('learns no code: each provider has a callback of its own, which is the only one that is registered', async () => {
    const { honest, hostile, app } = attacked(door);
    expect(asked(await app.begin('fake')).redirect_uri).toBe(callbackOf('fake'));
    expect(asked(await app.begin('hostile')).redirect_uri).toBe(callbackOf('hostile'));
    hostile.misbehave({ mixUp: { to: honest } });
    await expect(sentOn(app, hostile)).rejects.toThrow('redirect_uri is not registered');
  });

  it("learns no code where it names the other's callback: the sign-in was begun at the hostile one", async () => {
    const { honest, hostile, app } = attacked(door);
    hostile.misbehave({ mixUp: { to: honest, parameters: { redirect_uri: callbackOf('fake') } } });
    expectRefused(app, await app.finish(await sentOn(app, hostile)), 'InvalidCheck');
    expect([honest.count('token'), hostile.count('token')]).toEqual([0, 0]);
  });

  it('learns no code where any callback is registered: `iss` tells whose answer it is (RFC 9207)', async () => {
    const { honest, hostile, app } = attacked(door, { registered: false });
    hostile.misbehave({ mixUp: { to: honest } });
    expectRefused(app, await app.finish(await sentOn(app, hostile)), 'OAuthCallbackError');
    expect([honest.count('token'), hostile.count('token')]).toEqual([0, 0]);
  });

  it('refuses an ID token of the other, also if the response has no `iss`', async () => {
    const { honest, hostile, app } = attacked(door, { registered: false, issParameter: false });
    // An attacker with an account at both providers gets a token of the honest one, and sends it on.
    const stolen = await idTokenOf(app, honest);
    hostile.misbehave({ token: { json: { id_token: stolen } } });
    expectRefused(app, await app.finish(await sentOn(app, hostile)), 'OAuthCallbackError');
  });

  it('changes nothing for those who sign in at the honest one', async () => {
    const { honest, hostile, app } = attacked(door);
    hostile.misbehave({ mixUp: { to: honest } });
    expect(startsSession(await app.signIn(honest))).toBe(true);
  });
});

/** An ID token that the honest provider has really issued, for another visitor of the same application. */
async function idTokenOf(app: Scene, honest: FakeProvider): Promise<string> {
  let token = '';
  honest.misbehave({ idToken: { token: (made) => (token = made) } });
  const browser = app.visitor();
  await app.signIn(honest, { browser });
  honest.behave();
  return token;
}

describe.each(oneDoor)('two providers, one of them hostile, through $name', (door) => {
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
    const { fake, app } = site(door);
    const back = await fake.authorize((await app.begin()).location ?? '', { parameters: { iss } });
    expectRefused(app, await app.finish(back), 'OAuthCallbackError');
    expect(fake.count('token')).toBe(0);
  });

  it('an answer without `iss` is refused where the provider promises one', async () => {
    const { fake, app } = site(door);
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

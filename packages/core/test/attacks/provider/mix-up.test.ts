import { type FakeProvider, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { doors } from '../../flows/doors.ts';
import { asked, expectRefused, fakeProvider, oidc, type Scene, scene, startsSession } from '../../flows/scene.ts';

const callbackOf = (id: string): string => `http://localhost:3000/auth/callback/${id}`;

/** An application with an honest provider and one that sends visitors on to it, to get at the code that comes back. */
function attacked(door: (typeof doors)[number], options: { registered?: boolean; issParameter?: boolean } = {}) {
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

describe.each(doors)('a provider that sends visitors on to another one (mix-up), through $name', (door) => {
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

  it('signs nobody in with an ID token of the other, also where no `iss` tells', async () => {
    const { honest, hostile, app } = attacked(door, { registered: false, issParameter: false });
    // Whoever is at both providers gets a token of the honest one, and hands it on.
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

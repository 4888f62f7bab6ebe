import { type AnswerFault, answerFaults, type TokenFault, tokenFaults } from '@latchkey/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { doors } from '../../flows/doors.ts';
import {
  expectRefused,
  fakeProvider,
  leadsTo,
  oauth,
  oidc,
  type Scene,
  scene,
  startsSession,
} from '../../flows/scene.ts';

const answers = Object.keys(answerFaults) as AnswerFault[];
const endpoints = ['discovery', 'jwks', 'token', 'userinfo'] as const;
const cases = endpoints.flatMap((endpoint) => answers.map((name) => [endpoint, name] as const));

/** Nothing but the provider was asked, nothing broke, and no reason is shown. */
function expectQuiet(app: Scene, fake: ReturnType<typeof fakeProvider>): void {
  expect(fake.requests.every(({ url }) => url.startsWith(`${fake.issuer}/`))).toBe(true);
  expect(app.log.types().every((type) => type === 'OAuthCallbackError' || type === 'OAuthSignInError')).toBe(true);
}

afterEach(() => {
  vi.useRealTimers();
});

describe.each(doors)('what is no answer of a provider, through $name', (door) => {
  it.each(cases)('of %s starts no session, is not remembered and leads nowhere: %s', async (endpoint, name) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, { idToken: endpoint !== 'userinfo' })] });
    fake.misbehave({ [endpoint]: answerFaults[name] });
    const started = await app.begin();
    if (endpoint === 'discovery') expect(leadsTo(started)).toBe('/auth/signin?error=OAuthSignin');
    else expectRefused(app, await app.finish(await fake.authorize(started.location ?? '')), 'OAuthCallbackError');
    expect(await app.session()).toBeNull();
    expectQuiet(app, fake);
    fake.behave();
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it.each(Object.keys(tokenFaults) as TokenFault[])('of the token endpoint starts no session: %s', async (name) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    fake.misbehave({ token: tokenFaults[name] });
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
    expectQuiet(app, fake);
  });

  it.each(['discovery', 'jwks'] as const)(
    'of %s never takes the place of the good one that was there',
    async (endpoint) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      for (const name of answers) {
        const fake = fakeProvider();
        const app = scene(door, { providers: [oidc(fake)] });
        expect(startsSession(await app.signIn(fake))).toBe(true);
        fake.misbehave({ [endpoint]: answerFaults[name] });
        for (const _ of ['the first time', 'and again']) {
          vi.setSystemTime(Date.now() + 2 * 3600_000);
          app.clock.set(new Date());
          expect(startsSession(await app.signIn(fake, { browser: app.visitor() })), name).toBe(true);
        }
        expect(fake.count(endpoint), name).toBeGreaterThan(1);
      }
    },
  );

  it('may be of a bound type where the application fetches the tokens itself, and so has the key', async () => {
    const fake = fakeProvider();
    const request = () => ({ tokens: { access_token: 'bound', token_type: 'DPoP' } }) as never;
    const userinfo = { request: () => ({ sub: 'ada-1815' }) };
    const app = scene(door, { providers: [oauth(fake, { token: { request }, userinfo })] });
    expect(startsSession(await app.signIn(fake, { id: 'plain' }))).toBe(true);
  });

  it.each(['a\nb', 'a\r\nset-cookie: b=c', 'a\0b', 'a\u200bb', 'a\xe9b'])(
    'of the token endpoint may be an access token that no header can carry, %j, which the log does not quote',
    async (rest) => {
      for (const [make, id] of [
        [oauth, 'plain'],
        [oidc, 'fake'],
      ] as const) {
        const fake = fakeProvider();
        const app = scene(door, { providers: [make(fake, { idToken: false } as never)] });
        fake.misbehave({ token: { json: { access_token: `at_planted${rest}` } } });
        expectRefused(app, await app.signIn(fake, { id }), 'OAuthCallbackError');
        const logged = app.log.errors.map(({ cause, message }) => [message, JSON.stringify(cause), String(cause?.err)]);
        expect(logged.flat().join(), id).not.toContain('at_planted');
      }
    },
  );

  it('of the token endpoint brings no code, secret or token into the log', async () => {
    for (const name of answers) {
      const fake = fakeProvider();
      const app = scene(door, { providers: [oidc(fake)] });
      fake.misbehave({ token: { json: { error: 'no' }, ...answerFaults[name] } });
      await app.signIn(fake);
      const logged = JSON.stringify(app.log.errors.map(({ cause, message }) => [cause, message, String(cause?.err)]));
      expect(logged, name).not.toMatch(/code_[\da-f]{32}|at_[\da-f]{32}|rt_[\da-f]{32}|fake-client-secret/);
    }
  });
});

import { type AnswerFault, answerFaults, type TokenFault, tokenFaults } from '@latchkey/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Door, doors } from '../../flows/doors.ts';
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
import { expectDeadlines, windForward } from '../../wire/wind-forward.ts';
import { site } from '../site.ts';

// Both doors share the code that reads a provider's response, and `flows/` uses both, so one door is enough here.
const [door] = doors as readonly [Door];

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

describe('an invalid response of a provider', () => {
  it.each(cases)('of %s starts no session, is not remembered and leads nowhere: %s', async (endpoint, name) => {
    const { fake, app } = site(door, { idToken: endpoint !== 'userinfo' });
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
    const { fake, app } = site(door);
    fake.misbehave({ token: tokenFaults[name] });
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
    expectQuiet(app, fake);
  });

  it.each(['discovery', 'jwks'] as const)(
    'of %s never takes the place of the good one that was there',
    async (endpoint) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      for (const name of answers) {
        const { fake, app } = site(door);
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
      const { fake, app } = site(door);
      fake.misbehave({ token: { json: { error: 'no' }, ...answerFaults[name] } });
      await app.signIn(fake);
      const logged = JSON.stringify(app.log.errors.map(({ cause, message }) => [cause, message, String(cause?.err)]));
      expect(logged, name).not.toMatch(/code_[\da-f]{32}|at_[\da-f]{32}|rt_[\da-f]{32}|fake-client-secret/);
    }
  });
});

/** JSON of 800 KB that is nothing but depth: within the limit of an answer, and beyond that of many a recursion. */
const DEPTH = 400_000;
const deepList = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;
const deepObject = `${'{"a":'.repeat(130_000)}1${'}'.repeat(130_000)}`;

describe('an answer that is nothing but depth', () => {
  it.each([
    ['lists', deepList],
    ['objects', deepObject],
  ])('as profile (%s) ends safely, and the next sign-in works', async (_, deep) => {
    const fake = fakeProvider({ oidc: false });
    const app = scene(door, { providers: [oauth(fake)], debug: true });
    fake.faults.userinfo = { body: `{"sub":"ada-1815","id":"ada-1815","more":${deep}}`, times: 1 };
    const page = await app.signIn(fake, { id: 'plain' });
    if (!startsSession(page)) expectRefused(app, page, 'OAuthCallbackError');
    expect(startsSession(await app.signIn(fake, { id: 'plain' }))).toBe(true);
  });

  it.each([
    ['metadata', 'discovery'],
    ['keys', 'jwks'],
    ['tokens', 'token'],
  ] as const)('as %s ends safely, and the next sign-in works', async (_, endpoint) => {
    for (const deep of [deepList, deepObject]) {
      const { fake, app } = site(door, {}, { debug: true });
      fake.faults[endpoint] = { body: `{"more":${deep}}`, times: 1 };
      const started = await app.begin();
      const page = started.location?.startsWith(fake.issuer)
        ? await app.finish(await fake.authorize(started.location))
        : started;
      expect(startsSession(page)).toBe(false);
      expect(page.redirect?.pathname).toBe('/auth/signin');
      expect(startsSession(await app.signIn(fake))).toBe(true);
    }
  });

  it('and a set of 20 000 keys is refused, also when another one is known from before', async () => {
    const fake = fakeProvider();
    const keys = Array.from({ length: 5_000 }, (_, n) => ({ kty: 'oct', kid: `k${n}` }));
    const app = scene(door, { providers: [oidc(fake)] });
    fake.faults.jwks = { body: { keys: [...keys, ...keys, ...keys, ...keys] }, times: 1 };
    expectRefused(app, await app.signIn(fake), 'OAuthCallbackError');
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

const slow = [
  ['never answers', { delay: 'forever' as const }],
  ['answers byte by byte', { drip: 1000 }],
] as const;
const slowCases = (['discovery', 'jwks', 'token', 'userinfo'] as const).flatMap((endpoint) =>
  slow.map(([how, fault]) => [endpoint, how, fault] as const),
);

describe('a provider that keeps us waiting', () => {
  it.each(slowCases)(
    'at %s, which %s, is given up at the deadline, and may be asked again',
    async (endpoint, _, fault) => {
      const asked = windForward();
      const { fake, app } = site(door, { idToken: endpoint !== 'userinfo' });
      fake.misbehave({ [endpoint]: fault });
      const started = await app.begin();
      if (endpoint === 'discovery') expect(leadsTo(started)).toBe('/auth/signin?error=OAuthSignin');
      else expectRefused(app, await app.finish(await fake.authorize(started.location ?? '')), 'OAuthCallbackError');
      expectDeadlines(asked, 10_000);
      vi.restoreAllMocks();
      fake.behave();
      expect(startsSession(await app.signIn(fake))).toBe(true);
    },
  );
});

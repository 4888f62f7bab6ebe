import type { FakeProvider, FaultyEndpoint } from '@latchkey/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectRefused, fakeProvider, oauth, oidc, type Scene, scene, startsSession } from '../flows/scene.ts';
import { oidcSite } from '../spec/site.ts';
import { door, handTimers, until } from './edges.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a provider's answer", () => {
  it.each([
    [1_048_576, true],
    [1_048_577, false],
  ])('of %i bytes is read: %s', async (bytes, isRead) => {
    const fake = fakeProvider({ oidc: false });
    const app = scene(door, { providers: [oauth(fake)] });
    fake.misbehave({ userinfo: { body: '{"sub":"1","id":"1","name":"Ada"}'.padEnd(bytes) } });
    const page = await app.signIn(fake, { id: 'plain' });
    if (isRead) expect(await app.session()).toMatchObject({ user: { name: 'Ada' } });
    else expectRefused(app, page, 'OAuthCallbackError');
  });

  it.each([
    [100, true],
    [101, false],
  ])('with %i keys is a key set: %s', async (count, isTaken) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    const other = (index: number): object => ({ kty: 'oct', kid: `other-${index}`, k: 'c2VjcmV0' });
    fake.misbehave({
      jwks: {
        json: ({ keys }) => ({
          keys: [...(keys as object[]), ...Array.from({ length: count - 1 }, (_, n) => other(n))],
        }),
      },
    });
    expect(startsSession(await app.signIn(fake))).toBe(isTaken);
  });
});

describe('ten seconds', () => {
  beforeEach(handTimers);

  const endpoints: FaultyEndpoint[] = ['discovery', 'jwks', 'token', 'userinfo'];
  const cases = endpoints.flatMap((endpoint) =>
    (
      [
        [9999, true],
        [10_000, false],
      ] as const
    ).map(([wait, isInTime]) => [endpoint, wait, isInTime] as const),
  );

  it.each(cases)('are what %s has: an answer after %i ms counts: %s', async (endpoint, wait, isInTime) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, { idToken: endpoint !== 'userinfo' })] });
    fake.misbehave({ [endpoint]: { delay: wait } });
    const page = wholeWay(app, fake);
    await until(() => fake.count(endpoint) === 1);
    await vi.advanceTimersByTimeAsync(wait);
    expect(startsSession(await page)).toBe(isInTime);
  });
});

async function wholeWay(app: Scene, fake: FakeProvider): ReturnType<Scene['signIn']> {
  const started = await app.begin();
  return started.location?.startsWith(fake.issuer) ? app.finish(await fake.authorize(started.location)) : started;
}

describe('an ID token', () => {
  const cases: [claim: string, off: number, counts: boolean][] = [
    ['exp', -29, true],
    ['exp', -30, false],
    ['nbf', 30, true],
    ['nbf', 31, false],
    ['iat', 30, true],
    ['iat', 31, false],
  ];
  it.each(cases)('whose %s is %i seconds off counts: %s', async (claim, off, counts) => {
    // Whole seconds, and no time goes by between the claim and its check.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T12:00:00Z') });
    const app = oidcSite();
    const now = app.clock.now().getTime() / 1000;
    app.fake.misbehave({ idToken: { claims: { [claim]: now + off } } });
    const page = await app.enter();
    if (counts) expect(startsSession(page)).toBe(true);
    else expectRefused(app, page, 'OAuthCallbackError');
  });
});

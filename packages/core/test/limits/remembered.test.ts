import { afterEach, describe, expect, it, vi } from 'vitest';
import { MemoryCounters } from '../../src/rate-limit/memory.ts';
import { customFetch } from '../../src/symbols.ts';
import { fakeProvider, oidc, type Scene, scene, startsSession } from '../flows/scene.ts';
import { door } from './edges.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Stands still at a whole second: key sets are dated in seconds. */
function standingClock(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T12:00:00Z') });
}

function pass(app: Scene, milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds);
  app.clock.set(new Date());
}

const HOUR = 3_600_000;

describe('what a provider publishes', () => {
  it.each(['discovery', 'jwks'] as const)('(%s) is fresh for an hour, not a millisecond more', async (endpoint) => {
    standingClock();
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    await app.signIn(fake);
    pass(app, HOUR - 1);
    await app.signIn(fake);
    expect(fake.count(endpoint)).toBe(1);
    pass(app, 1);
    await app.signIn(fake);
    expect(fake.count(endpoint)).toBe(2);
  });

  const outages = (['discovery', 'jwks'] as const).flatMap((endpoint) =>
    [24 * HOUR - 1, 24 * HOUR].map((age) => [endpoint, age, age < 24 * HOUR] as const),
  );
  it.each(outages)(
    '(%s) stands in for a provider that is down when it is %i ms old: %s',
    async (endpoint, age, standsIn) => {
      standingClock();
      const fake = fakeProvider();
      const app = scene(door, { providers: [oidc(fake)] });
      await app.signIn(fake);
      fake.misbehave({ [endpoint]: { status: 503, body: 'down' } });
      pass(app, age);
      const started = await app.begin();
      const isOnTheWay = started.location?.startsWith(fake.issuer) === true;
      expect(isOnTheWay).toBe(standsIn || endpoint === 'jwks');
      if (isOnTheWay)
        expect(startsSession(await app.finish(await fake.authorize(started.location ?? '')))).toBe(standsIn);
    },
  );

  it('is asked for an unknown key once a minute at most', async () => {
    standingClock();
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    await app.signIn(fake);
    await fake.rotateKeys();
    pass(app, 59_999);
    for (const _ of [1, 2]) expect(startsSession(await app.signIn(fake))).toBe(false);
    expect(fake.count('jwks')).toBe(1);
    pass(app, 1);
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(fake.count('jwks')).toBe(2);
  });

  it('is kept for 256 addresses; the next one takes the place of the oldest', async () => {
    const asked: string[] = [];
    const fetching: typeof fetch = async (input) => {
      const { origin } = new URL(String(input));
      asked.push(origin);
      return Response.json({ issuer: origin, authorization_endpoint: `${origin}/authorize` });
    };
    const providers = Array.from({ length: 257 }, (_, index) => ({
      ...oidc(fakeProvider(), { id: `p${index}`, issuer: `https://idp-${index}.test` }),
      [customFetch]: fetching,
    }));
    const app = scene(door, { providers });
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const begin = (index: number): Promise<unknown> => app.browser.post(`/auth/signin/p${index}`, { csrfToken });
    for (let index = 0; index < 256; index++) await begin(index);
    await begin(0);
    expect(asked).toHaveLength(256);
    await begin(256);
    await begin(1);
    expect(asked).toHaveLength(257);
    await begin(0);
    expect(asked).toHaveLength(258);
  });
});

describe('counters of this process', () => {
  const rule = { limit: 1, window: 900, now: new Date(0) };

  it('are 20 000, and one more pushes out the oldest', () => {
    const counters = new MemoryCounters();
    for (let index = 0; index < 20_000; index++) counters.take(`${index}`, rule);
    expect([counters.size, counters.take('0', rule)]).toEqual([20_000, new Date(900_000)]);
    counters.take('one more', rule);
    expect([counters.size, counters.take('1', rule), counters.take('0', rule)]).toEqual([
      20_000,
      new Date(900_000),
      null,
    ]);
  });

  it.each([
    [9999, false],
    [10_000, true],
  ])('are searched for expired ones again after %i ms: %s', (milliseconds, isSearched) => {
    const counters = new MemoryCounters(2);
    const take = (counter: string, at: number, window: number): Date | null =>
      counters.take(counter, { limit: 1, window, now: new Date(at) });
    take('a', 0, 900);
    take('b', 0, 900);
    // There is no place, and the first search finds nothing: the oldest one goes, which is `a`.
    take('c', 0, 1);
    // Now `c` is over. Who does not search for it lets `b` go, which is older.
    take('d', milliseconds, 900);
    expect(take('b', milliseconds, 900) !== null).toBe(isSearched);
  });
});

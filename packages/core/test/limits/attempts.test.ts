import { describe, expect, it } from 'vitest';
import type { RateLimitRule, RateLimitStore } from '../../src/rate-limit-types.ts';
import { scene } from '../flows/scene.ts';
import { limitedScene } from '../rate-limit/scene.ts';
import { mailSite } from '../spec/site.ts';
import { door } from './edges.ts';

const allowed = (count: number, status: number): number[] => Array.from({ length: count }, () => status);

describe('without a word in the configuration', () => {
  it('twenty passwords may be wrong for one name in 900 seconds', async () => {
    const app = limitedScene();
    expect(await app.fail(21)).toEqual([...allowed(20, 302), 429]);
    app.clock.advance(899.999);
    expect(await app.fail(1)).toEqual([429]);
    app.clock.advance(0.001);
    expect(await app.fail(1)).toEqual([302]);
  });

  it('five mails may go to one address in 900 seconds', async () => {
    const app = mailSite();
    const ask = async (): Promise<number> => (await app.ask('ada@example.com')).status;
    for (let count = 0; count < 5; count++) expect(await ask()).toBe(302);
    expect(await ask()).toBe(429);
    app.clock.advance(899.999);
    expect(await ask()).toBe(429);
    app.clock.advance(0.001);
    expect(await ask()).toBe(302);
  });

  it('a hundred attempts may come from one network in 900 seconds', async () => {
    const app = limitedScene(undefined, {}, { call: { clientAddress: '203.0.113.7' } });
    const attempt = async (index: number): Promise<number> => (await app.attempt(`user-${index}`)).status;
    for (let index = 0; index < 100; index++) expect(await attempt(index)).toBe(302);
    expect(await attempt(100)).toBe(429);
    app.clock.advance(899.999);
    expect(await attempt(101)).toBe(429);
    app.clock.advance(0.001);
    expect(await attempt(102)).toBe(302);
  });
});

describe('the configuration', () => {
  it.each([
    ['a limit', 1000, (limit: number) => ({ email: { limit } })],
    ['a window', 86_400, (window: number) => ({ email: { window } })],
    ['proxies', 16, (trustedProxyHops: number) => ({ trustedProxyHops })],
  ])('may name %s up to %i, and no more', async (_, most, rateLimit) => {
    const status = async (value: number): Promise<number> =>
      (await scene(door, { rateLimit: rateLimit(value) }).browser.get('/auth/signin')).status;
    expect([await status(most), await status(most + 1)]).toEqual([200, 500]);
  });

  it('is what a store of its own is told: the usual limits in its own words', async () => {
    const rules: Omit<RateLimitRule, 'now'>[] = [];
    const store: RateLimitStore = {
      take(_, { limit, window }) {
        rules.push({ limit, window });
        return null;
      },
      giveBack: () => undefined,
    };
    const app = limitedScene({ store }, {}, { call: { clientAddress: '203.0.113.7' } });
    await app.fail(1);
    expect(rules).toEqual([
      { limit: 100, window: 900 },
      { limit: 20, window: 900 },
    ]);
  });
});

describe('a store that answers neither an instant nor nothing', () => {
  it.each([false, 0, 'no', {}, [], new Date(Number.NaN)])(
    '%j has failed: this process counts, and the log is told',
    async (answer) => {
      const store = { take: () => answer, giveBack: () => undefined } as unknown as RateLimitStore;
      const app = limitedScene({ store, credentials: { limit: 1 } });
      expect(await app.fail(2)).toEqual([302, 429]);
      expect((await app.attempt('grace', 'right')).status).toBe(302);
      expect(await app.session()).toMatchObject({ user: { name: 'grace' } });
      expect(app.log.types()).toContain('AdapterError');
    },
  );
});

describe('a secret', () => {
  it.each([
    [31, [['short-secret']]],
    [32, []],
  ])('of %i characters warns: %j', async (length, warnings) => {
    const app = scene(door, { secret: 'x'.repeat(length) });
    await app.session();
    expect(app.log.warnings).toEqual(warnings);
  });
});

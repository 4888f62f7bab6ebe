import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { available, redis } from '../../../test/services/index.ts';
import { burst, limitedScene, statuses, times } from '../../core/test/rate-limit/scene.ts';
import { RedisRateLimits } from '../src/index.ts';
import { clients, keysIn, nodeRedis } from './clients.ts';
import { connection, subject } from './subject.ts';

const start = Date.parse('2026-03-01T12:00:00Z');
const at = (seconds: number): Date => new Date(start + seconds * 1000);
const rule = (seconds: number, limit = 3) => ({ limit, window: 60, now: at(seconds) });
const isThere = await available('redis');

describe.runIf(isThere)('counters in Redis', () => {
  const on = subject();
  const counters = () => RedisRateLimits(on().client, { prefix: on().prefix });

  it('count up to the limit, and return when the next attempt is allowed', async () => {
    const own = counters();
    for (const second of [0, 10, 20]) expect(await own.take('a', rule(second))).toBeNull();
    expect(await own.take('a', rule(59.999))).toEqual(at(60));
    expect(await own.take('b', rule(59.999))).toBeNull();
    expect(await own.take('a', rule(60))).toBeNull();
    expect(await own.take('a', rule(60))).toEqual(at(70));
    expect(await own.take('a', rule(60, 1))).toEqual(at(120));
  });

  it('release exactly one attempt, and only one that was counted', async () => {
    const own = counters();
    for (const second of [0, 0, 10]) await own.take('a', rule(second));
    await own.release('a', at(5));
    await own.release('b', at(0));
    expect(await own.take('a', rule(10))).toEqual(at(60));
    await own.release('a', at(0));
    expect(await own.take('a', rule(10))).toBeNull();
    for (const second of [0, 10, 10]) await own.release('a', at(second));
    expect(await on().keys()).toEqual([]);
  });

  it('allow exactly the limit of 200 attempts at once', async () => {
    const both = [counters(), counters()];
    const taken = await Promise.all(times(200, (index) => both[index % 2]?.take('a', rule(index / 1000, 20))));
    expect(taken.filter((one) => one === null)).toHaveLength(20);
    expect(taken.filter((one) => one instanceof Date)).toHaveLength(180);
  });

  it('allow twenty of 200 sign-ins at once', async () => {
    const app = limitedScene({ store: counters() });
    const pages = await burst(
      app,
      'callback/credentials',
      times(200, () => ({ username: 'ada', password: 'x' })),
    );
    expect(statuses(pages)).toEqual({ 302: 20, 429: 180 });
    expect(app.log.types()).not.toContain('AdapterError');
  });

  it('only need the rights that the README names', async () => {
    const name = `lk_${crypto.randomUUID()}`;
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const rights = /Required rights:[^#]*/.exec(readme)?.[0].match(/\+[a-z]+/g) ?? [];
    expect(rights.length).toBeGreaterThan(5);
    await on().send('ACL', 'SETUSER', name, 'on', '>secret', `~${on().prefix}*`, ...rights);
    try {
      const url = new URL((await redis()).url);
      [url.username, url.password] = [name, 'secret'];
      const { client, close } = await nodeRedis(url.href);
      const own = RedisRateLimits(client, { prefix: on().prefix });
      for (const second of [0, 1, 100]) expect(await own.take('a', rule(second, 2))).toBeNull();
      await own.release('a', at(100));
      close();
    } finally {
      await on().send('ACL', 'DELUSER', name);
    }
  });

  it('expire a minute after the window', async () => {
    await counters().take('a', rule(0));
    expect(await on().keys()).toEqual(['rate:a']);
    const left = Number(await on().send('PTTL', `${on().prefix}rate:a`));
    expect(left).toBeGreaterThan(100_000);
    expect(left).toBeLessThanOrEqual(120_000);
  });
});

describe.runIf(isThere).each(Object.entries(clients))('counters through %s', (_, connect) => {
  const on = connection(connect);

  it('count, refuse and release', async () => {
    const own = RedisRateLimits(on().client, { prefix: on().prefix });
    expect(await own.take('a', rule(0, 1))).toBeNull();
    expect(await own.take('a', rule(1, 1))).toEqual(at(60));
    await own.release('a', at(0));
    expect(await own.take('a', rule(2, 1))).toBeNull();
    expect((await keysIn(on(), '')).length).toBeGreaterThan(0);
  });
});

describe('RedisRateLimits', () => {
  it('refuses unknown clients, and prefixes with braces', () => {
    expect(() => RedisRateLimits({} as never)).toThrow(TypeError);
    expect(() => RedisRateLimits({ call: async () => null } as never, { prefix: '{a}' })).toThrow('`prefix`');
  });
});

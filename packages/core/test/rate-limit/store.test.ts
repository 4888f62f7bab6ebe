import { describe, expect, it } from 'vitest';
import { MemoryCounters } from '../../src/rate-limit/memory.ts';
import type { RateLimitStore } from '../../src/types.ts';
import { limitedScene } from './scene.ts';

interface Spied extends RateLimitStore {
  readonly names: string[];
  broken: false | 'take' | 'release';
}

function spied(): Spied {
  const counters = new MemoryCounters();
  const names: string[] = [];
  const store: Spied = {
    names,
    broken: false,
    take: async (counter, rule) => {
      names.push(counter);
      if (store.broken === 'take') throw new Error('down');
      return counters.take(counter, rule);
    },
    release: async (counter, at) => {
      if (store.broken === 'release') throw new Error('down');
      counters.release(counter, at);
    },
  };
  return store;
}

describe('a store of counters', () => {
  it('is used instead of the memory of the process', async () => {
    const store = spied();
    const first = limitedScene({ store, credentials: { limit: 2 } });
    const second = limitedScene({ store, credentials: { limit: 2 } });
    expect([...(await first.fail(1)), ...(await second.fail(2))]).toEqual([302, 302, 429]);
    expect(await limitedScene({ credentials: { limit: 2 } }).fail(1)).toEqual([302]);
  });

  it('gets no names and no addresses', async () => {
    const store = spied();
    const app = limitedScene({ store }, {}, { call: { clientAddress: '192.0.2.1' } });
    await app.attempt('ada');
    await app.attempt('grace');
    const [network, ada, again, grace] = store.names;
    expect(store.names.filter((name) => !/^[\w-]{43}$/.test(name))).toEqual([]);
    expect(network).toBe(again);
    expect(new Set([network, ada, grace]).size).toBe(3);
    const other = spied();
    const elsewhere = limitedScene({ store: other }, { secret: 'another secret, of more than 32 characters' });
    await elsewhere.attempt('ada');
    expect(other.names).not.toContain(ada);
  });

  it('gets the default limits', async () => {
    const rules: object[] = [];
    const store: RateLimitStore = {
      take(_, { limit, window }) {
        rules.push({ limit, window });
        return null;
      },
      release: () => undefined,
    };
    await limitedScene({ store }, {}, { call: { clientAddress: '203.0.113.7' } }).fail(1);
    expect(rules).toEqual([
      { limit: 100, window: 900 },
      { limit: 20, window: 900 },
    ]);
  });

  it.each([false, 0, 'no', {}, [], new Date(Number.NaN)])(
    'that answers with %j instead of an instant or null has failed: the process counts, and the log gets an error',
    async (answer) => {
      const store = { take: () => answer, release: () => undefined } as unknown as RateLimitStore;
      const app = limitedScene({ store, credentials: { limit: 1 } });
      expect(await app.fail(2)).toEqual([302, 429]);
      expect((await app.attempt('grace', 'right')).status).toBe(302);
      expect(await app.session()).toMatchObject({ user: { name: 'grace' } });
      expect(app.log.types()).toContain('AdapterError');
    },
  );

  it('that fails neither removes the limit nor blocks all users; one error is logged', async () => {
    const store = spied();
    const app = limitedScene({ store, credentials: { limit: 2 } });
    store.broken = 'take';
    expect(await app.fail(4)).toEqual([302, 302, 429, 429]);
    expect((await app.attempt('grace', 'right')).status).toBe(302);
    const told = app.log.errors.filter(({ type }) => type === 'AdapterError');
    expect(told.map(({ cause }) => [cause?.['method'], cause?.err?.message])).toEqual([
      ['rateLimit.store.take', 'down'],
    ]);
    store.broken = false;
    expect(await app.fail(1)).toEqual([302]);
    store.broken = 'take';
    await app.fail(1);
    expect(app.log.errors.filter(({ type }) => type === 'AdapterError')).toHaveLength(2);
  });

  it('that fails after the password was accepted does not break the sign-in', async () => {
    const store = spied();
    store.broken = 'release';
    const app = limitedScene({ store });
    await app.attempt('ada', 'right');
    expect(await app.session()).toMatchObject({ user: { name: 'ada' } });
    expect(app.log.types()).toEqual(['AdapterError']);
  });
});

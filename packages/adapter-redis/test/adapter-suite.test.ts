import { memoryAdapter } from '@latchkey/testing';
import { adapterSuite } from '@latchkey/testing/adapter-suite';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { available, type FreshPrefix, redis } from '../../../test/services/index.ts';
import { combine, RedisAdapter, RedisSessions } from '../src/index.ts';
import { type Connected, clients } from './clients.ts';

const everything = { optional: true, authenticators: true };

describe.skipIf(!(await available('redis')))('RedisAdapter', () => {
  for (const [title, connect] of Object.entries(clients)) {
    for (const tag of ['all', 'user'] as const) {
      describe(`on ${title}, tag ${tag}`, () => {
        const subject = shared(connect);
        adapterSuite(
          () => ({ adapter: RedisAdapter(subject().client, { prefix: subject().prefix, tag }) }),
          { describe, it },
          everything,
        );
      });
    }
  }
});

describe.skipIf(!(await available('redis')))('combine', () => {
  for (const tag of ['all', 'user'] as const) {
    describe(`of a store in memory and RedisSessions, tag ${tag}`, () => {
      const subject = shared(clients['redis, RESP3']);
      adapterSuite(
        () => {
          const { client, prefix } = subject();
          return { adapter: combine({ users: memoryAdapter(), sessions: RedisSessions(client, { prefix, tag }) }) };
        },
        { describe, it: but(USERS_ARE_ELSEWHERE, it) },
        everything,
      );
    });
  }

  describe('of two RedisAdapters', () => {
    const subject = shared(clients['ioredis, RESP3']);
    adapterSuite(
      () => {
        const { client, prefix } = subject();
        const users = RedisAdapter(client, { prefix: `${prefix}users:` });
        return { adapter: combine({ users, sessions: RedisAdapter(client, { prefix }), tokens: users }) };
      },
      { describe, it: but(USERS_ARE_ELSEWHERE, it) },
      everything,
    );
  });
});

/** Cases which demand that the store of sessions knows the users. */
const USERS_ARE_ELSEWHERE: readonly string[] = ['keeps the old session when the new one cannot be created'];

/** A runner that leaves out some cases. */
function but(titles: readonly string[], run: typeof it): (title: string, body: () => Promise<void>) => void {
  return (title, body) => {
    if (!titles.includes(title)) run(title, body);
  };
}

/** A connection and a prefix for all cases of a group. */
function shared(connect: (typeof clients)[string] | undefined): () => { client: Connected['client']; prefix: string } {
  let fresh: FreshPrefix;
  let connected: Connected | undefined;
  beforeAll(async () => {
    fresh = await (await redis()).fresh();
    connected = await connect?.(fresh.url, fresh.prefix);
  });
  afterAll(async () => {
    connected?.close();
    await fresh.drop();
  });
  return () => {
    if (!connected) throw new Error('there is no connection yet');
    return { client: connected.client, prefix: fresh.prefix };
  };
}

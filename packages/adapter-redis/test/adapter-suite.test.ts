import { memoryAdapter } from '@latchkey/testing';
import { type AdapterSuiteOptions, adapterSuite, type SuiteRunner } from '@latchkey/testing/adapter-suite';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { available, type FreshPrefix, redis } from '../../../test/services/index.ts';
import { combine, RedisAdapter, RedisSessions, type Tag } from '../src/index.ts';
import { type Connected, clients } from './clients.ts';

const everything: AdapterSuiteOptions = { optional: true, authenticators: true };
const userFields = { role: 'text', age: 'number', isMember: 'boolean', born: 'date', tags: { type: 'json' } } as const;

/** The client on which each case runs, with both tags. */
const WHOLE = 'redis, RESP3';

describe.skipIf(!(await available('redis')))('RedisAdapter', () => {
  for (const tag of ['all', 'user'] as const) {
    describe(`on ${WHOLE}, tag ${tag}`, () => {
      const subject = shared(clients[WHOLE]);
      adapterSuite(
        () => ({ adapter: RedisAdapter(subject().client, { prefix: subject().prefix, tag, userFields }) }),
        { describe, it },
        { ...everything, userFields },
      );
    });
  }

  // The clients differ in how they send commands and read replies, which does not depend on the tag.
  for (const [index, [title, connect]] of Object.entries(clients).entries()) {
    if (title === WHOLE) continue;
    const tag: Tag = index % 2 ? 'all' : 'user';
    describe(`on ${title}, tag ${tag}`, () => {
      const subject = shared(connect);
      adapterSuite(
        () => ({ adapter: RedisAdapter(subject().client, { prefix: subject().prefix, tag }) }),
        without(isRepeated),
        everything,
      );
    });
  }
});

describe.skipIf(!(await available('redis')))('combine', () => {
  for (const tag of ['all', 'user'] as const) {
    describe(`of a store in memory and RedisSessions, tag ${tag}`, () => {
      const subject = shared(clients[WHOLE]);
      adapterSuite(
        () => {
          const { client, prefix } = subject();
          return { adapter: combine({ users: memoryAdapter(), sessions: RedisSessions(client, { prefix, tag }) }) };
        },
        without((title) => title === NEEDS_USERS || (isRepeated(title) && !title.includes('session token'))),
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
      without((title) => title === NEEDS_USERS || isRepeated(title)),
      everything,
    );
  });
});

/** The case that requires a store of sessions to know the users. */
const NEEDS_USERS = 'keeps the old session when the new one cannot be created';

/** The cases about hostile text, but for one: they run on one client. */
function isRepeated(title: string): boolean {
  return /^keeps (or refuses )?.* in an? /.test(title) && !title.startsWith('keeps emoji');
}

/** Returns a runner that leaves some cases out. */
function without(isLeftOut: (title: string) => boolean): SuiteRunner {
  return { describe, it: (title, body) => isLeftOut(title) || it(title, body) };
}

/** Opens one connection with one prefix for all cases of a group. */
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
    if (!connected) throw new Error('the connection is not open');
    return { client: connected.client, prefix: fresh.prefix };
  };
}
